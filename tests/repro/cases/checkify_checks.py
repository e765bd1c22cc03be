import jax
import jax.numpy as jnp
from jax.experimental import checkify


def case(x):
    def outer(v):
        def inner(a):
            # fault: a @ jnp.ones(11)
            checkify.check(a.sum() > 0, "must be positive: {s}", s=a.sum())
            return jnp.log(a) + v.sum()

        return jax.vmap(inner)(v)

    error, out = checkify.checkify(jax.jit(outer))(x)
    return out


result = case(jnp.linspace(0.1, 0.5, 6).reshape(2, 3))
