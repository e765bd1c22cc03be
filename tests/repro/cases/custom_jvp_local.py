import jax
import jax.numpy as jnp


def case(x, w):
    def outer(a):
        @jax.custom_jvp
        def g(b):
            return jnp.exp(b) * 2.0

        @g.defjvp
        def g_jvp(primals, tangents):
            # fault: primals[0] @ jnp.ones(11)
            return g(primals[0]), tangents[0] * g(primals[0]) * 0.5

        def inner(b):
            return jax.jit(g)(b).sum() * w

        return jax.jvp(inner, (a,), (jnp.ones_like(a),))

    return jax.vmap(outer)(x)


result = case(jnp.linspace(0.0, 1.0, 6).reshape(2, 3), jnp.array(2.0))
