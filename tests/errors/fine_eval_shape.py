import jax
import jax.numpy as jnp


def init(key):
    return {"w": jax.random.normal(key, (1000, 1000)), "b": jnp.zeros(1000)}


shapes = jax.eval_shape(init, jax.random.key(0))
print(shapes["w"].shape, shapes["w"].dtype)
