import jax
import jax.numpy as jnp
from jax import export

a, b = export.symbolic_shape("a, b")


def f(x):
    n = x.shape[0]
    if n == 3:
        return x
    y = x.reshape(n, 1)
    return jnp.concatenate([y, y]).sum(0) + jnp.zeros((n + 2 * n,)).sum()


print(export.export(jax.jit(f))(jax.ShapeDtypeStruct((a,), jnp.float32)))
