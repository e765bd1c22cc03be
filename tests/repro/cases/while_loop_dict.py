import jax
import jax.numpy as jnp
from jax import lax


def case(x):
    def solve(a):
        def go(s):
            return (s["err"] > 1e-3) & (s["i"] < 20)

        def step(s):
            def f(y):
                # fault: y @ jnp.ones(11)
                return jnp.sum(y * y - a * y)

            y = s["y"] - 0.3 * jax.grad(f)(s["y"])
            return {"y": y, "err": jnp.abs(y - s["y"]).max(), "i": s["i"] + 1}

        return lax.while_loop(go, step, {"y": a * 0.0, "err": jnp.inf, "i": 0})

    return jax.jit(solve)(x)


result = case(jnp.linspace(0.1, 1.0, 3))
