import jax
import jax.numpy as jnp


def case(x):
    def each(k):
        def loss(w):
            # fault: w @ jnp.ones((2, 11))
            return jnp.apply_over_axes(jnp.sum, x * w * k, [0, 2]).sum()

        return jax.grad(loss)(k)

    return jax.jit(jax.vmap(each))(jnp.arange(2.0))


result = case(jnp.linspace(0.1, 0.5, 12).reshape(2, 2, 3))
