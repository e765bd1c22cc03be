import jax
import jax.numpy as jnp
import numpy as np


def case(x, w):
    def outer(v):
        def host(a):
            return np.sin(np.asarray(a)) * 2.0

        def inner(b):
            # fault: b @ jnp.ones(11)
            shape = jax.ShapeDtypeStruct(b.shape, b.dtype)
            return jax.pure_callback(host, shape, b, vmap_method="sequential") * w + v.sum()

        return jax.vmap(inner)(v)

    return jax.jit(outer)(x)


result = case(jnp.linspace(0.1, 0.5, 3), 2.0)
