import jax
import jax.numpy as jnp
from jax.scipy.sparse.linalg import bicgstab


def case(a, b):
    def each(k):
        def matvec(t):
            def part(v):
                # fault: v @ jnp.ones(11)
                return a @ v + k * v

            return [part(t[0]), part(t[1]) * 2.0]

        return bicgstab(matvec, [b, b + 1.0], x0=[b * 0.1, b], M=lambda t: [v / 2.0 for v in t], maxiter=20)[0]

    return jax.vmap(each)(jnp.arange(2.0))


result = case(jnp.eye(3) * 2.0 + 0.1, jnp.linspace(0.1, 0.5, 3))
