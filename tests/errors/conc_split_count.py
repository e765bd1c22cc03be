import jax


@jax.jit
def keys(key, n):
    return jax.random.split(key, n)


keys(jax.random.key(0), 4)
