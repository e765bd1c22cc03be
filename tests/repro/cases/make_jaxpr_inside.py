import jax
import jax.numpy as jnp


def case(x):
    def f(a):
        def g(b):
            # fault: b @ jnp.ones(11)
            return b * a + x

        return jax.vmap(g)(a).sum()

    closed = jax.make_jaxpr(f)(x)
    shape = jax.make_jaxpr(f, return_shape=True)(x)[1]
    return f(x) * len(closed.jaxpr.invars) + jnp.zeros(shape.shape)


result = case(jnp.linspace(1.0, 2.0, 3))
