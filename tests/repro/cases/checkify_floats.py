import jax
import jax.numpy as jnp
from jax import lax
from jax.experimental import checkify


def case(x, w):
    def body(c, t):
        def inner(a):
            # fault: a @ jnp.ones(11)
            return a / t + w

        return inner(c), t

    def run(v):
        return lax.scan(body, v, jnp.arange(1.0, 3.0))

    error, out = checkify.checkify(run, errors=checkify.float_checks)(x)
    return out


result = jax.jit(case)(jnp.linspace(0.1, 0.5, 3), 2.0)
