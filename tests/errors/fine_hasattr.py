import jax.numpy as jnp

x = jnp.ones(2)
if hasattr(x, "numpy"):
    x = x.numpy()
y = getattr(x, "missing", None)
