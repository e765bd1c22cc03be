import jax

with jax.debug_key_reuse(True):
    key = jax.random.key(0)
    a = jax.random.normal(key)
    b = jax.random.normal(key)
