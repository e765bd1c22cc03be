import jax
import jax.numpy as jnp
from jax import export

n, = export.symbolic_shape("n")
pairs = jax.jit(lambda x: x.reshape(-1, 2))
export.export(pairs)(jax.ShapeDtypeStruct((n,), jnp.float32))
