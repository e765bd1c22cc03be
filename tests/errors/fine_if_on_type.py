import jax
import jax.numpy as jnp


@jax.jit
def as_float(x):
    if isinstance(x, jax.core.Tracer) and jnp.issubdtype(x.dtype, jnp.integer):
        return x.astype(jnp.float32)
    return x


as_float(3)
as_float(2.5)
