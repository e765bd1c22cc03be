import jax
import jax.numpy as jnp

params = {"w": jnp.ones((4, 3)), "b": jnp.ones(3)}
axes = ({"w": 1, "b": 0}, None)
out = jax.vmap(lambda p, x: p["w"] @ x + p["b"], in_axes=axes, out_axes=0)(params, jnp.ones(4))
both = jax.vmap(lambda x, *, y: x + y)(jnp.ones(3), y=jnp.ones(3))
