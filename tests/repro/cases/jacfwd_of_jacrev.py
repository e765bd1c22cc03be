import jax
import jax.numpy as jnp


def case(x, w):
    def f(y):
        def g(z):
            def h(t):
                # fault: t @ jnp.ones(11)
                return jnp.tanh(w @ t) * y.sum()

            return jax.jacrev(h)(z).sum(axis=0) * x

        return jax.jacfwd(g)(y).sum(axis=0)

    return jax.jacfwd(f)(x)


result = case(jnp.linspace(-0.5, 0.5, 3), jnp.linspace(0.0, 1.0, 9).reshape(3, 3))
