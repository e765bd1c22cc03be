import jax.numpy as jnp

x = jnp.ones((6, 4))
u, s, vt = jnp.linalg.svd(x)
back = u @ jnp.diag(s) @ vt
