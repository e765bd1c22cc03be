import jax

jax.config.update("jax_debug_key_reuse", True)


@jax.jit
def noise(key):
    scale = jax.random.uniform(key)
    return scale * jax.random.normal(key, (3,))


noise(jax.random.key(1))
