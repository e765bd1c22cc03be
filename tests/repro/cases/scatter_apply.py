import jax
import jax.numpy as jnp


def case(x, i):
    def outer(v):
        def inner(k):
            def double(a):
                # fault: a @ jnp.ones((11, 2))
                return a * 2.0

            return v.at[i].apply(double) * k + v.at[0].add(k)

        return jax.vmap(inner)(jnp.arange(2.0))

    return jax.jit(outer)(x)


result = case(jnp.linspace(0.1, 0.5, 3), 1)
