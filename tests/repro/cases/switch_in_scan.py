import jax
import jax.numpy as jnp
from jax import lax


def case(x):
    branches = [lambda c, k=k: c * k + x for k in range(3)]

    def body(c, i):
        def inner(a):
            # fault: a @ jnp.ones(11)
            return lax.switch(i, branches, a)

        return jax.jit(inner)(c), i

    return lax.scan(body, x, jnp.array([0, 2, 1]))


result = case(jnp.linspace(0.0, 1.0, 3))
