import jax
import jax.numpy as jnp
from jax import lax


def case(x, flag):
    def outer(v):
        def yes(a):
            def deeper(b):
                # fault: b @ jnp.ones(11)
                return b * v.sum() + a

            return lax.cond(a[0] > 0.3, deeper, lambda b: b - x, a)

        def no(a):
            return -a + x

        return lax.cond(flag, yes, no, v)

    return jax.vmap(outer)(jnp.stack([x, x + 1.0]))


result = jax.jit(case)(jnp.linspace(0.0, 1.0, 3), True)
