import jax
import jax.numpy as jnp


def outer(x):
    return jnp.outer(x, x) @ x


out = jax.eval_shape(outer, jax.ShapeDtypeStruct((10**5,), jnp.float32))
print(out.shape, out.dtype)
