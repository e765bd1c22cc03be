import jax
import jax.numpy as jnp


def case(x, w):
    def loss(v):
        def low(a):
            # fault: a @ jnp.ones((2, 11))
            return a * v

        def high(a):
            return jnp.sin(a) + v

        return jnp.piecewise(x, [x < 0.2, x > 0.4], [low, high, 0.5]).sum()

    return jax.grad(loss)(w)


result = jax.jit(case)(jnp.linspace(0.1, 0.5, 6), 2.0)
