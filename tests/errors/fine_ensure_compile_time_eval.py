import jax
import jax.numpy as jnp


@jax.jit
def f(x):
    with jax.ensure_compile_time_eval():
        n = int(jnp.arange(4).sum())
    return jnp.zeros(n) + x


f(1.0)
