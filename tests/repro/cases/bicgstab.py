import jax
import jax.numpy as jnp
from jax.scipy.sparse.linalg import bicgstab


def case(a, b):
    def outer(w):
        def matvec(x):
            def inner(v):
                # fault: v @ jnp.ones(11)
                return a @ v * w

            return inner(x)

        return bicgstab(matvec, b, tol=1e-4)[0]

    return jax.jit(outer)(2.0)


result = case(jnp.eye(3) * 2.0 + 0.1, jnp.linspace(0.1, 0.5, 3))
