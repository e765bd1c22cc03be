import jax
import jax.numpy as jnp

labels = jnp.array([0, 2, 1])
targets = jax.nn.one_hot(labels, jnp.max(labels) + 0.5)
