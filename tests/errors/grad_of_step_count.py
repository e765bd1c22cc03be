import jax
import jax.numpy as jnp

state = {"w": jnp.ones(2), "step": 3}
jax.grad(lambda s: s["w"].sum() * s["step"])(state)
