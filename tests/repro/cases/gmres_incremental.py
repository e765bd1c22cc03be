import jax
import jax.numpy as jnp
from jax import lax
from jax.scipy.sparse.linalg import gmres


def case(a, b):
    def each(k):
        def matvec(x):
            # fault: x @ jnp.ones(11)
            return a @ x + k * x

        return gmres(matvec, b, tol=1e-4, solve_method="incremental", M=lambda v: v / 2.0)[0]

    return lax.map(each, jnp.arange(2.0))


result = case(jnp.eye(3) * 2.0 + 0.1, jnp.linspace(0.1, 0.5, 3))
