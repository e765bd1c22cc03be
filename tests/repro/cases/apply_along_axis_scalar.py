import jax
import jax.numpy as jnp


def case(x):
    def loss(w):
        def total(row):
            # fault: row @ jnp.ones(11)
            return (row * w).sum()

        return jnp.apply_along_axis(total, 0, x).max()

    return jax.jit(jax.grad(loss))(2.0)


result = case(jnp.linspace(0.1, 0.5, 6).reshape(2, 3))
