import jax
import jax.numpy as jnp
from jax import lax


def case(x):
    def outer(a):
        def inner(b):
            def innermost(c):
                # fault: c @ jnp.ones(11)
                return lax.psum(c, "i") + lax.pmean(b, "j") * a.sum()

            return jax.jit(innermost)(b)

        return jax.vmap(inner, axis_name="i")(a)

    return jax.vmap(outer, axis_name="j")(x)


result = case(jnp.linspace(0.0, 1.0, 6).reshape(2, 3))
