import jax
import jax.numpy as jnp


def case(x):
    def loss(w):
        def cell(i):
            # fault: i @ jnp.ones((2, 11))
            return i * w

        return (jnp.fromfunction(cell, (3,), dtype=jnp.int32) * x).sum()

    return jax.jit(jax.grad(loss))(2.0), jax.vmap(loss)(jnp.stack([x, x]))


result = case(jnp.linspace(0.1, 0.5, 3))
