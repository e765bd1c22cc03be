import jax
import jax.numpy as jnp
from jax import lax


def case(a):
    def loss(v):
        def f(x):
            # fault: x @ jnp.ones(11)
            return x - jnp.cos(x * 0.5) * v

        def solve(g, x0):
            def body(c, _):
                return c - 0.7 * g(c), None

            x, _ = lax.scan(body, x0, None, length=15)
            return x, {"steps": 15.0}

        def tangent_solve(g, y):
            return jnp.linalg.solve(jax.jacobian(g)(y), y)

        x, aux = lax.custom_root(f, a, solve, tangent_solve, has_aux=True)
        return x.sum() + aux["steps"]

    return jax.grad(loss)(1.5)


result = case(jnp.linspace(0.1, 0.5, 2))
