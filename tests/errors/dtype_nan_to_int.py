import jax.numpy as jnp

missing = jnp.array([1.0, float("nan")])
count = jnp.array(float("nan"), dtype=jnp.int32)
