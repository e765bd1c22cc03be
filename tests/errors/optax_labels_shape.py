import jax
import jax.numpy as jnp
import optax

logits = jnp.ones((8, 10))
labels = jnp.zeros((8, 1), jnp.int32)
loss = optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()
