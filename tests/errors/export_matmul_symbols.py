import jax
import jax.numpy as jnp

from jax import export
a, b = export.symbolic_shape("a, b")
export.export(jax.jit(lambda x, y: x @ y))(jax.ShapeDtypeStruct((3, a), jnp.float32), jax.ShapeDtypeStruct((b, 2), jnp.float32))
