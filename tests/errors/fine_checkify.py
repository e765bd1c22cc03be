import jax
import jax.numpy as jnp
from jax.experimental import checkify


def f(x):
    checkify.check(x > 0, "x is {x}", x=x)
    return jax.lax.cond(x > 1, jnp.log, lambda x: x * 2, x)


error, out = checkify.checkify(jax.vmap(f))(jnp.array([1.0, 2.0]))
error.throw()
print(error.get(), out)
error, out = jax.jit(checkify.checkify(f, errors=checkify.all_checks))(-1.0)
print(error.get() is not None)
