import jax
import jax.numpy as jnp


def case(x, y):
    def f(a):
        def g(b):
            # fault: b @ jnp.ones(11)
            return jnp.sin(b) * a.sum() + y

        out, lin = jax.linearize(g, a)
        return out + lin(y)

    out, lin = jax.linearize(f, x)
    return out, lin(jnp.ones_like(x)), jax.vmap(lin)(jnp.eye(3))


result = case(jnp.linspace(0.0, 1.0, 3), jnp.linspace(1.0, 2.0, 3))
