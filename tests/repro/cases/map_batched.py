import jax
import jax.numpy as jnp
from jax import lax


def case(x, w):
    def outer(v):
        def f(pair):
            def g(a):
                # fault: a @ jnp.ones(11)
                return jnp.sin(a) * v

            return {"r": g(pair[0]) + pair[1]}

        return lax.map(f, (x, w), batch_size=2)

    return jax.vmap(outer)(jnp.arange(2.0))


result = case(jnp.linspace(0.1, 1.0, 6).reshape(3, 2), jnp.linspace(0.1, 1.0, 3))
