import jax.numpy as jnp
logits = jnp.zeros((4, 10))
labels = [1, 2, 3, 4]
picked = logits[range(4), labels]
print(picked)
