import jax
import jax.numpy as jnp
from jax import lax


def case(x):
    def body(c, t):
        def f(a, b):
            @jax.jit
            def g(d):
                # fault: d @ jnp.ones(11)
                return d * c + t

            return g(a) * b

        out, lin = jax.linearize(f, c, t)
        return c + lin(t, t), out

    return lax.scan(body, x[0], x)


result = jax.jit(case)(jnp.linspace(0.0, 1.0, 4).reshape(2, 2))
