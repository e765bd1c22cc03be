import jax
import jax.numpy as jnp


def case(x):
    def outer(w):
        def loss(v):
            def inner(a):
                # fault: a @ jnp.ones(11)
                jax.debug.print("a={} w={w}", a, w=w)
                return jnp.sin(a) * w

            return inner(v).sum()

        return jax.vmap(jax.grad(loss))(x)

    return jax.jit(outer)(2.0)


result = case(jnp.linspace(0.1, 0.5, 4).reshape(2, 2))
