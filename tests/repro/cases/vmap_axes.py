import jax
import jax.numpy as jnp


def case(x, y):
    def outer(a, b):
        def middle(c):
            def inner(d, e):
                # fault: d @ jnp.ones(11)
                return {"s": d * e + a.sum(), "b": b}

            return jax.vmap(inner, in_axes=(0, None), out_axes={"s": 0, "b": None})(c, b[0])

        return jax.vmap(middle, in_axes=1, out_axes=1)(a)

    return jax.vmap(outer, in_axes=(2, None))(x, y)


result = jax.jit(case)(jnp.linspace(0.0, 1.0, 24).reshape(2, 3, 4), jnp.linspace(1.0, 2.0, 2))
