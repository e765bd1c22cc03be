import jax
import jax.numpy as jnp


def case(x):
    def outer(v):
        with jax.ensure_compile_time_eval():
            table = jnp.arange(3.0) * 2.0
            n = int(table.sum())

        def inner(a):
            # fault: a @ jnp.ones(11)
            return a * table[1] + n + v.sum()

        return jax.vmap(inner)(v)

    return jax.jit(outer)(x)


result = case(jnp.linspace(0.1, 0.5, 3))
