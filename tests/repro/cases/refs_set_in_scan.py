import jax
import jax.numpy as jnp
from jax import lax


def case(x):
    def outer(v):
        last = jax.new_ref(v * 2.0)

        def body(c, t):
            def step(u):
                # fault: u @ jnp.ones((11, 2))
                jax.ref.set(last, ..., u + v)
                return u * t

            return step(c), jax.ref.get(last, 1)

        return lax.scan(body, v, jnp.arange(2.0)), last[...]

    return jax.jit(outer)(x)


result = case(jnp.linspace(0.1, 0.5, 3))
