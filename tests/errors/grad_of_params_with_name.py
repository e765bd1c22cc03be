import jax
import jax.numpy as jnp

params = {"name": "dense", "w": jnp.ones(2)}
jax.grad(lambda p: p["w"].sum())(params)
