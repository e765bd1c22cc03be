import jax
import jax.numpy as jnp
from jax import lax


def case(x):
    def loss(w):
        def body(c, t):
            def default(a):
                # fault: a @ jnp.ones(11)
                return jnp.sin(a * w)

            return lax.platform_dependent(c, tpu=jnp.cos, default=default), t

        return lax.scan(body, x, jnp.arange(2.0))[0].sum()

    return jax.grad(loss)(2.0)


result = jax.jit(case)(jnp.linspace(0.1, 0.5, 3))
