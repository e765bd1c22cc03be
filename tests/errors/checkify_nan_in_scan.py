import jax
import jax.numpy as jnp
from jax.experimental import checkify


def step(carry, x):
    return carry + jnp.sqrt(x), carry


def run(xs):
    return jax.lax.scan(step, 0.0, xs)


error, _ = jax.jit(checkify.checkify(run, errors=checkify.float_checks))(jnp.array([4.0, 1.0, -1.0]))
checkify.check_error(error)
