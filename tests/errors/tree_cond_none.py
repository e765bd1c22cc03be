import jax


@jax.jit
def maybe(x):
    return jax.lax.cond(x > 0, lambda: x, lambda: None)


maybe(1.0)
