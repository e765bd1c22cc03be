import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl


def case(x):
    def outer(v):
        def body(refs):
            a_ref, b_ref = refs

            def inner(u):
                # fault: u @ jnp.ones((11, 2))
                return jnp.sin(u) * v[0]

            b_ref[...] = inner(a_ref[...])

        return pl.run_state(body)((v, jnp.zeros_like(v)))

    return jax.jit(outer)(x)


result = case(jnp.linspace(0.1, 0.5, 3))
