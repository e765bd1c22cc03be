import jax
import jax.numpy as jnp
from jax.scipy.sparse.linalg import cg


def case(a, b):
    def each(k):
        def matvec(t):
            # fault: t["x"] @ jnp.ones(11)
            return {"x": a @ t["x"] + k * t["x"]}

        return cg(matvec, {"x": b}, x0={"x": b * 0.1})[0]

    return jax.vmap(each)(jnp.arange(2.0))


result = case(jnp.eye(3) * 2.0 + 0.1, jnp.linspace(0.1, 0.5, 3))
