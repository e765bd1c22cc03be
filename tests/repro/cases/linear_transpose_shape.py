import jax
import jax.numpy as jnp


def case(x):
    def each(c):
        def linear(a, b):
            def inner(d):
                # fault: d @ jnp.ones(11)
                return d * c

            return jax.jit(inner)(a) + 2.0 * b

        shape = jax.ShapeDtypeStruct((3,), jnp.float32)
        return jax.linear_transpose(linear, shape, shape)(x)

    return jax.vmap(each)(x)


result = case(jnp.linspace(1.0, 2.0, 3))
