import jax

with jax.debug_key_reuse(True):
    key = jax.random.key(0)
    for i in range(3):
        key, sub = jax.random.split(key)
        x = jax.random.normal(sub, (2,))
    keys = jax.random.split(key, 4)
    y = jax.vmap(jax.random.normal)(keys)

    def body(key, _):
        key, sub = jax.random.split(key)
        return key, jax.random.uniform(sub)

    last, z = jax.lax.scan(body, jax.random.key(1), None, length=3)
    w = jax.random.normal(jax.random.fold_in(last, 1))
