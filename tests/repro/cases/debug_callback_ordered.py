import jax
import jax.numpy as jnp


def log(value, *, where):
    pass


def case(x):
    def outer(v):
        def inner(a):
            # fault: a @ jnp.ones(11)
            jax.debug.callback(log, a, where="inner", ordered=True)
            jax.debug.print("a={a} {}", v, a=a)
            return a + v

        return jax.jit(inner)(v * 2.0)

    return jax.jit(outer)(x)


result = case(jnp.linspace(0.1, 0.5, 3))
