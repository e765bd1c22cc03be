import jax
import jax.numpy as jnp


def case(x, y):
    def outer(a):
        def f(b, c):
            def g(d):
                # fault: d @ jnp.ones(11)
                return d**2 * a.sum()

            return jax.vmap(g)(b) * c

        return jax.jacrev(f, argnums=(0, 1))(a, y)

    return jax.jit(outer)(x), jax.jacfwd(lambda b: outer(b)[0])(x)


result = case(jnp.linspace(-0.5, 0.5, 3), jnp.array(2.0))
