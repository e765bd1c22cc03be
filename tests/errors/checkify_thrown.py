import jax
import jax.numpy as jnp
from jax.experimental import checkify


@jax.jit
def safe_log(x):
    checkify.check(jnp.all(x > 0), "log of something that is not positive: {low}", low=x.min())
    return jnp.log(x)


error, y = checkify.checkify(safe_log)(jnp.array([1.0, -2.0]))
print(y.shape)
error.throw()
