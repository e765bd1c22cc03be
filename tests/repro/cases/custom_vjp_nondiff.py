from functools import partial

import jax
import jax.numpy as jnp
from jax import lax


@partial(jax.custom_vjp, nondiff_argnums=(0, 2))
def scaled(fn, x, scale):
    return fn(x) * scale


def scaled_fwd(fn, x, scale):
    return scaled(fn, x, scale), {"x": x}


def scaled_bwd(fn, scale, saved, g):
    return (jax.vjp(fn, saved["x"])[1](g)[0] * scale * 2.0,)


scaled.defvjp(scaled_fwd, scaled_bwd)


def case(x):
    def body(c, t):
        def inner(a):
            # fault: a @ jnp.ones(11)
            return scaled(lambda v: v * v + c, a, 3.0).sum()

        return c + jax.grad(inner)(t), c.sum()

    return lax.scan(body, x[0], x)


result = case(jnp.linspace(0.0, 1.0, 6).reshape(2, 3))
