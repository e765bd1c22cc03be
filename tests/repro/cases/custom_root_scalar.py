import jax
import jax.numpy as jnp
from jax import lax


def case(a):
    def outer(v):
        def f(x):
            # fault: jnp.full((2, 3), x) @ jnp.ones(11)
            return x**2 - v * a

        def solve(g, x0):
            return lax.fori_loop(0, 10, lambda _, x: x - g(x) / (2.0 * x), x0)

        def tangent_solve(g, y):
            return y / g(1.0)

        return lax.custom_root(f, 1.0, solve, tangent_solve)

    return jax.grad(outer)(2.0), jax.vmap(outer)(jnp.array([1.0, 2.0]))


result = jax.jit(case)(3.0)
