import jax
import jax.numpy as jnp
from jax.custom_batching import custom_vmap


@custom_vmap
def product(a, b):
    return a @ b


@product.def_vmap
def product_rule(size, batched, a, b):
    return jnp.stack([a[i] @ (b[i] if batched[1] else b) for i in range(size)]), True


def case(x, w):
    def loss(v):
        def inner(row):
            # fault: row @ jnp.ones((11, 2))
            return product(row, w) * v

        return jax.vmap(inner)(x).sum()

    return loss(2.0), jax.jit(loss)(3.0)


result = case(jnp.linspace(0.1, 0.5, 6).reshape(2, 3), jnp.ones((3, 2)))
