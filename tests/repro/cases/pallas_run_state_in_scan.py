import jax
import jax.numpy as jnp
from jax import lax
from jax.experimental import pallas as pl


def case(x):
    def outer(v):
        def step(c, t):
            def body(ref):
                # fault: ref[...] @ jnp.ones((11, 2))
                ref[...] = ref[...] * t + v

            return pl.run_state(body)(c), c.sum()

        return lax.scan(step, v, jnp.arange(2.0))

    return jax.jit(outer)(x)


result = case(jnp.linspace(0.1, 0.5, 3))
