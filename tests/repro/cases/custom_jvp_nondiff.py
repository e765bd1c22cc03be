from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.custom_jvp, nondiff_argnums=(0,))
def apply(fn, x):
    return fn(x)


@apply.defjvp
def apply_jvp(fn, primals, tangents):
    (x,), (t,) = primals, tangents
    return apply(fn, x), 3.0 * t * fn(x)


apply2 = jax.custom_jvp(lambda a, b: a + b)
apply2.defjvps(lambda t, out, a, b: t, None)


def case(x):
    def loss(v):
        def inner(u):
            # fault: u @ jnp.ones(11)
            return apply(jnp.tanh, u) * v.sum() + apply2(u, x)

        return jax.jit(inner)(v).sum()

    return jax.grad(loss)(x)


result = case(jnp.linspace(0.0, 1.0, 3))
