import jax
import jax.numpy as jnp
from jax.scipy.optimize import minimize


def case(x):
    def each(target):
        def objective(v):
            # fault: v @ jnp.ones(11)
            return jnp.sum((v - target) ** 2) + x.sum()

        result = minimize(objective, jnp.zeros(2), method="BFGS", tol=1e-3, options={"maxiter": 20})
        return result.x

    return jax.vmap(each)(x)


result = case(jnp.linspace(0.1, 0.5, 4).reshape(2, 2))
