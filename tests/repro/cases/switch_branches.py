import jax
import jax.numpy as jnp
from jax import lax


def case(x, i):
    def outer(v):
        def first(a):
            # fault: a @ jnp.ones(11)
            return a * v.sum()

        def second(a):
            return lax.switch(i - 1, [jnp.sin, lambda b: b + v, jnp.cos], a)

        return lax.switch(i, [first, second, lambda a: a * x], v)

    return jax.vmap(outer)(jnp.stack([x, x + 1.0]))


result = jax.jit(case)(jnp.linspace(0.0, 1.0, 3), 1)
