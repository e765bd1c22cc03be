"""A rule with an argument that is not differentiated."""

from functools import partial

import jax


@partial(jax.custom_jvp, nondiff_argnums=(1,))
def power(x, n):  # traced: 4
    return x ** n


@power.defjvp
def power_jvp(n, primals, tangents):  # traced: 2
    x, = primals
    return power(x, n), n * x ** (n - 1) * tangents[0]


@partial(jax.jit, static_argnums=1)
def f(x, n):  # traced: 2
    return power(x, n)


for n in (2, 3, 2):
    jax.grad(f)(2.0, n)
