import jax
import jax.numpy as jnp
from jax import lax


def case(a, b):
    def row(v):
        def matvec(x):
            # fault: x @ jnp.ones(11)
            return {"u": a @ x["u"]}

        def solve(mv, y):
            def step(_, s):
                return {"u": s["u"] + 0.3 * (y["u"] - mv(s)["u"])}

            return lax.fori_loop(0, 20, step, y)

        return lax.custom_linear_solve(matvec, {"u": b * v}, solve, symmetric=True)["u"]

    return jax.vmap(row)(jnp.array([1.0, 2.0]))


result = case(jnp.eye(3) * 1.5 + 0.1, jnp.linspace(0.5, 1.0, 3))
