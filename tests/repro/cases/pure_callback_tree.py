import jax
import jax.numpy as jnp
import numpy as np
from jax import lax


def case(x):
    def body(c, t):
        def host(a, k):
            return {"s": np.float32(np.sum(a) * k), "a": np.asarray(a) + 1}

        shapes = {"s": jax.ShapeDtypeStruct((), jnp.float32), "a": jax.ShapeDtypeStruct((3,), jnp.float32)}

        def inner(a):
            # fault: a @ jnp.ones(11)
            return jax.pure_callback(host, shapes, a, t)

        out = jax.jit(inner)(c)
        return out["a"], out["s"]

    return lax.scan(body, x, jnp.arange(3.0))


result = case(jnp.linspace(0.1, 0.5, 3))
