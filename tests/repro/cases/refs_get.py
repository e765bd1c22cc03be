import jax
import jax.numpy as jnp
from jax import lax


def case(x):
    def outer(v):
        total = jax.new_ref(jnp.zeros(3))

        def body(i, c):
            def note(u):
                # fault: u @ jnp.ones((11, 2))
                jax.ref.set(total, i, u.sum() * v[0])
                return jax.ref.swap(total, 2, u[0]) + jax.ref.get(total, i)

            return c + note(c * 0.5)

        return lax.fori_loop(0, 2, body, v) + jax.ref.get(total, ...)

    return jax.jit(outer)(x)


result = case(jnp.linspace(0.1, 0.5, 3))
