import jax

device = jax.devices()[0]


@jax.jit
def noise(key):
    return jax.random.normal(key, (2,))


key = jax.random.key(0)
noise(key)
put = jax.device_put(key, device)
noise(put)
next_key, sub = jax.random.split(put)
noise(sub)
noise(jax.random.fold_in(key, 1))
