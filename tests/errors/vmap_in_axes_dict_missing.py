import jax
import jax.numpy as jnp

params = {"w": jnp.ones((4, 3)), "b": jnp.zeros(4)}
f = jax.vmap(lambda p, x: p["w"] @ x + p["b"], in_axes=({"w": 0}, None))
f(params, jnp.ones(3))
