import jax
import jax.numpy as jnp
from jax import lax


def case(x):
    def loss(w):
        def step(i, c):
            def inner(a):
                # fault: a @ jnp.ones(11)
                jax.debug.callback(lambda b, n: None, a, n=i)
                return a * w

            return inner(c)

        return lax.fori_loop(0, 3, step, x).sum()

    return jax.value_and_grad(loss)(2.0)


result = jax.jit(case)(jnp.linspace(0.1, 0.5, 3))
