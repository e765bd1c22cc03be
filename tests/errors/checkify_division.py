import jax
import jax.numpy as jnp
from jax.experimental import checkify

errors = checkify.float_checks | checkify.user_checks


def ratio(a, b):
    checkify.check(a > 0, "a is {a}", a=a)
    return a / b


error, out = checkify.checkify(ratio, errors=errors)(jnp.float32(1.0), jnp.float32(0.0))
error.throw()
