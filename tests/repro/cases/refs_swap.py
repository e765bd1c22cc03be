import jax
import jax.numpy as jnp
from jax import lax


def case(x):
    def outer(v):
        ref = jax.new_ref(jnp.zeros(3))

        def body(c, t):
            # fault: c @ jnp.ones((11, 2))
            ref[0] = t
            old = jax.ref.swap(ref, ..., c)
            jax.ref.addupdate(ref, ..., v)
            return c + old, jax.ref.get(ref, 1)

        return lax.scan(body, v, jnp.arange(2.0)), jax.freeze(ref)

    return jax.jit(outer)(x)


result = case(jnp.linspace(0.1, 0.5, 3))
