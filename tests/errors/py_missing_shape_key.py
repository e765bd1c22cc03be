import jax.numpy as jnp

shapes = {"a": (2, 3), "b": (3,)}
w = jnp.ones(shapes["a"]) @ jnp.ones(shapes["b"])
v = jnp.ones(shapes["c"])
