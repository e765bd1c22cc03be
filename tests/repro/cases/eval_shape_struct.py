import jax
import jax.numpy as jnp
from jax import lax


def case(x):
    def body(c, t):
        def f(a, n):
            @jax.checkpoint
            def g(b):
                # fault: b @ jnp.ones(11)
                return b * n + c

            return g(a)

        out = jax.eval_shape(f, jax.ShapeDtypeStruct((3,), jnp.float32), t)
        return c + jnp.ones(out.shape) * t, f(c, t)

    return lax.scan(body, x, x)


result = case(jnp.linspace(1.0, 2.0, 3))
