import jax
import jax.numpy as jnp


@jax.custom_jvp
def f(x, y):
    return jnp.sin(x) * y


@f.defjvp
def f_jvp(primals, tangents):
    x, y = primals
    dx, dy = tangents
    return f(x, y), jnp.cos(x) * dx * y + jnp.sin(x) * dy


def case(x, w):
    def outer(a):
        def inner(b):
            # fault: b @ jnp.ones(11)
            return f(b, a.sum()).sum() * w

        return jax.grad(inner)(a)

    return jax.vmap(outer)(x)


result = jax.jit(case)(jnp.linspace(0.0, 1.0, 6).reshape(2, 3), jnp.array(2.0))
