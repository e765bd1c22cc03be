import jax
import jax.numpy as jnp


def case(x, w):
    def outer(v):
        def f(a):
            return jnp.sin(a * w).sum() + v.sum()

        converted, consts = jax.closure_convert(f, v)

        def run(u):
            # fault: u @ jnp.ones(11)
            return converted(u, *consts) * 2.0

        return jax.grad(run)(v)

    return jax.vmap(outer)(x)


result = jax.jit(case)(jnp.linspace(0.0, 1.0, 6).reshape(2, 3), jnp.linspace(1.0, 2.0, 3))
