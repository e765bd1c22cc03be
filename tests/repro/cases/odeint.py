import jax
import jax.numpy as jnp
from jax.experimental.ode import odeint


def case(y, k):
    def loss(p):
        def field(state, t, q):
            def inner(a):
                # fault: a @ jnp.ones(11)
                return -a * q + jnp.sin(t)

            return inner(state)

        return odeint(field, y, jnp.linspace(0.0, 1.0, 4), p)[-1].sum()

    return loss(k), jax.grad(loss)(k)


result = jax.jit(case)(jnp.linspace(0.1, 0.5, 2), 0.5)
