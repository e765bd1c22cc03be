from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnames=("depth", "mode"))
def case(x, depth, *, mode="sum"):
    def outer(y):
        @partial(jax.jit, static_argnums=1)
        def inner(z, times):
            # fault: z @ jnp.ones(11)
            for _ in range(times):
                z = z * y + x
            return z

        return inner(y, depth) if mode == "sum" else inner(y, 1)

    return jax.vmap(outer, in_axes=1)(jnp.stack([x, x + 1.0], axis=1))


result = case(jnp.linspace(0.1, 1.0, 3), 3, mode="sum")
