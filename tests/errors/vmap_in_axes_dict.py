import jax
import jax.numpy as jnp

params = {"w": jnp.ones((3, 2)), "b": jnp.ones(3)}
jax.vmap(lambda p: p["w"].sum() + p["b"], in_axes=({"w": 0},))(params)
