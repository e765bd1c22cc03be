import jax


@jax.jit
def noise(key, n):
    return jax.random.normal(key, (n, 2))


noise(jax.random.key(0), 3)
