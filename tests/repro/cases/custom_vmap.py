import jax
import jax.numpy as jnp
from jax.custom_batching import custom_vmap


def case(x, w):
    @custom_vmap
    def f(a):
        return jnp.sin(a)

    @f.def_vmap
    def rule(size, batched, a):
        # fault: a @ jnp.ones((11, 2))
        return jnp.sin(a) * 2.0, batched[0]

    def outer(v):
        def inner(b):
            return f(b) + v.sum() * w

        return jax.vmap(inner)(v)

    return jax.jit(outer)(x)


result = case(jnp.linspace(0.1, 0.5, 3), 2.0)
