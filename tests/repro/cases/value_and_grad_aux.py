import jax
import jax.numpy as jnp


def case(x, y):
    def outer(a):
        def inner(b):
            # fault: b @ jnp.ones(11)
            return (a * b * y).sum(), a + b

        (value, aux), grad = jax.value_and_grad(inner, has_aux=True)(a * 2.0)
        return value + grad.sum(), aux

    return jax.value_and_grad(lambda v: outer(v)[0])(x), outer(x)[1]


result = case(jnp.linspace(0.0, 1.0, 3), jnp.linspace(1.0, 2.0, 3))
