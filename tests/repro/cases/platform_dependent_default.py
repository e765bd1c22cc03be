import jax
import jax.numpy as jnp
from jax import lax


def case(x, w):
    def outer(v):
        def cpu(a):
            def inner(b):
                # fault: b @ jnp.ones(11)
                return b * w + v

            return jax.vmap(inner)(a)

        return lax.platform_dependent(v, cpu=cpu, default=lambda a: jnp.zeros((3, 3)))

    return jax.jit(outer)(x)


result = case(jnp.linspace(0.1, 0.5, 3), 2.0)
