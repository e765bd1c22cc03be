import jax
import jax.numpy as jnp
from jax import export

exp = export.export(jax.jit(lambda x: jnp.sum(x, axis=0) / x.shape[0]))(
    jax.ShapeDtypeStruct(export.symbolic_shape("b, c"), jnp.int32))
y = exp.call(jnp.arange(12, dtype=jnp.int32).reshape((3, 4)))
