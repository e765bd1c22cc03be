import jax
import jax.numpy as jnp
from jax import lax


def case(x, w):
    def outer(v):
        def rule(a, *, scale):
            def inner(b):
                # fault: b @ jnp.ones(11)
                return b * scale + 1.0

            return jax.vmap(inner)(a)

        return lax.composite(rule, name="my.rule")(v * w, scale=2.0)

    return jax.jit(outer)(x)


result = case(jnp.linspace(0.1, 0.5, 3), 2.0)
