import jax
import jax.numpy as jnp
from jax.scipy.sparse.linalg import gmres


def case(a, b):
    def outer(w):
        def matvec(x):
            def inner(v):
                # fault: v @ jnp.ones(11)
                return a @ v * w

            return inner(x)

        return gmres(matvec, b, restart=3, maxiter=2)[0].sum()

    return jax.jit(outer)(2.0)


result = case(jnp.eye(3) * 2.0 + 0.1, jnp.linspace(0.1, 0.5, 3))
