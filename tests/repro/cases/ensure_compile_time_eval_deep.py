import jax
import jax.numpy as jnp
from jax import lax


def case(x):
    def body(c, t):
        def inner(a):
            with jax.ensure_compile_time_eval():
                steps = int(jnp.ones(2).sum())
            # fault: a @ jnp.ones(11)
            for _ in range(steps):
                a = a * t + c
            return a

        return jax.jit(inner)(c), t

    return lax.scan(body, x, jnp.arange(2.0))


result = case(jnp.linspace(0.1, 0.5, 3))
