import jax
import jax.numpy as jnp


def case(x, w):
    def outer(v):
        def each(a, b):
            def g(c):
                # fault: c @ jnp.ones(11)
                return jnp.sin(c * b) + a.sum()

            return jax.grad(lambda c: g(c).sum())(a)

        return jax.pmap(each, in_axes=(0, None))(v, w)

    return outer(x), outer(x + 1.0)


result = case(jnp.linspace(0.0, 1.0, 3).reshape(1, 3), jnp.array(2.0))
