import jax.numpy as jnp

names = ["a", "b", "c"]
best = jnp.array([0.1, 0.7, 0.2])
print(names[jnp.argmax(best)])
print(names[jnp.max(best)])
