import jax
import jax.numpy as jnp
from jax import export

n, m = export.symbolic_shape("n, m")


@jax.jit
def add(a, b):
    return a + b


export.export(add)(jax.ShapeDtypeStruct((n,), jnp.float32), jax.ShapeDtypeStruct((m,), jnp.float32))
