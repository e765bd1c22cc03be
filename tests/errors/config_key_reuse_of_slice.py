import jax

with jax.debug_key_reuse(True):
    keys = jax.random.split(jax.random.key(0), 4)
    a = jax.random.normal(keys[0])
    b = jax.random.normal(keys[1])
    c = jax.random.normal(keys[0])
