import jax
import jax.numpy as jnp

from jax import export
n, = export.symbolic_shape("n")
export.export(jax.jit(lambda x: x + jnp.ones(4)))(jax.ShapeDtypeStruct((n,), jnp.float32))
