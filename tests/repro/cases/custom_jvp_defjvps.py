import jax
import jax.numpy as jnp


def case(x, y):
    @jax.custom_jvp
    def f(a, b):
        return a * b

    f.defjvps(lambda t, out, a, b: t * b * 2.0, lambda t, out, a, b: t * a + out * 0.0)

    def outer(v):
        def inner(u):
            # fault: u @ jnp.ones(11)
            return jax.jit(f)(u, y).sum() + v.sum()

        return jax.jvp(inner, (v,), (y,))

    return jax.vmap(outer)(x)


result = case(jnp.linspace(0.0, 1.0, 6).reshape(2, 3), jnp.linspace(1.0, 2.0, 3))
