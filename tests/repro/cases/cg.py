import jax
import jax.numpy as jnp
from jax.scipy.sparse.linalg import cg


def case(a, b):
    def loss(w):
        def matvec(x):
            def inner(v):
                # fault: v @ jnp.ones(11)
                return a @ v * w

            return inner(x)

        x, _ = cg(matvec, b, tol=1e-5, maxiter=10, M=lambda v: v * 0.5)
        return x.sum()

    return jax.grad(loss)(2.0)


result = jax.jit(case)(jnp.eye(3) * 2.0 + 0.1, jnp.linspace(0.1, 0.5, 3))
