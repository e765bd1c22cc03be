import jax
import jax.numpy as jnp
from jax import lax


def case(x):
    ref = jax.new_ref(x)

    def body(i, c):
        def inner(a):
            # fault: a @ jnp.ones((11, 2))
            ref[...] = ref[...] * 0.5 + a
            return a + i

        return inner(c)

    out = lax.fori_loop(0, 3, body, x)
    return out, ref[...]


result = jax.jit(case)(jnp.linspace(0.1, 0.5, 3))
