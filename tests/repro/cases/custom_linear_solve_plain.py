import jax
import jax.numpy as jnp
from jax import lax


def case(a, b):
    def loss(v):
        def matvec(x):
            # fault: x @ jnp.ones(11)
            return a @ x + v * 0.0

        def solve(mv, y):
            return jnp.linalg.solve(a, y) + 0.0 * mv(y)

        def transposed(mv, y):
            return jnp.linalg.solve(a.T, y)

        return lax.custom_linear_solve(matvec, b * v, solve, transposed).sum()

    return jax.grad(loss)(2.0)


result = jax.jit(case)(jnp.eye(3) * 2.0 + 0.1, jnp.linspace(0.5, 1.0, 3))
