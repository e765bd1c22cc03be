import jax
import jax.numpy as jnp
from jax import lax


def case(x):
    def loss(w):
        def step(c):
            # fault: c @ jnp.ones(11)
            return c * w + jnp.cos(w)

        converted, consts = jax.closure_convert(step, x)

        def body(c, _):
            return converted(c, *consts), None

        return lax.scan(body, x, None, length=3)[0].sum()

    return jax.grad(loss)(2.0)


result = case(jnp.linspace(0.0, 1.0, 3))
