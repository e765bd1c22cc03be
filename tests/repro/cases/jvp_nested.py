import jax
import jax.numpy as jnp


def case(x, t):
    def f(y):
        def g(z):
            def h(u):
                # fault: u @ jnp.ones(11)
                return u * z * x

            return jax.jvp(h, (z,), (t,))[1]

        primal, tangent = jax.jvp(g, (y,), (t,))
        return primal * tangent

    return jax.jvp(f, (x,), (t,))


result = jax.jit(case)(jnp.linspace(0.0, 1.0, 3), jnp.ones(3))
