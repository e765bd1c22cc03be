import jax
import jax.numpy as jnp
from jax.scipy.optimize import minimize


def case(a, b):
    def outer(v):
        def objective(x, shift):
            def inner(t):
                # fault: t @ jnp.ones(11)
                return jnp.sum((t - shift) ** 2) + v.sum() * 0.0

            return inner(x)

        return minimize(objective, v, args=(b,), method="BFGS").x

    return jax.jit(outer)(a)


result = case(jnp.zeros(2), jnp.linspace(0.1, 0.5, 2))
