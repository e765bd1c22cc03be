import jax
import jax.numpy as jnp


def case(x, w):
    def outer(a):
        def f(b):
            def g(c):
                # fault: c @ jnp.ones(11)
                return {"h": c @ w, "t": a.sum()}

            return jax.jit(g)(b)

        shapes = jax.eval_shape(f, a)
        return jnp.zeros(shapes["h"].shape, shapes["h"].dtype) + f(a)["h"]

    return jax.vmap(outer)(x)


result = jax.jit(case)(jnp.linspace(1.0, 2.0, 6).reshape(2, 3), jnp.ones((3, 2)))
