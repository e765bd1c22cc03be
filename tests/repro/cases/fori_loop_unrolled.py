import jax
import jax.numpy as jnp
from jax import lax


def case(x):
    def loss(w):
        def body(i, state):
            total, buffer = state

            def put(b):
                # fault: b @ jnp.ones(11)
                return b.at[i].set(total * w)

            return total + x[i], jax.jit(put)(buffer)

        return lax.fori_loop(0, 3, body, (0.0, jnp.zeros(3)), unroll=True)[1].sum()

    return jax.grad(loss)(2.0)


result = case(jnp.linspace(0.1, 1.0, 3))
