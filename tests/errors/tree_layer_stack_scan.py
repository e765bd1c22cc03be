import jax, jax.numpy as jnp
keys = jax.random.split(jax.random.key(0), 4)
params = jax.vmap(lambda k: {"w": jax.random.normal(k, (8, 8))})(keys)
def layer(x, p):
    return jnp.tanh(x @ p["w"])
out, _ = jax.lax.scan(layer, jnp.ones((2, 8)), params)
