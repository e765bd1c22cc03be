import jax
import jax.numpy as jnp

labels = jnp.array([0, 1, 2])
jax.nn.one_hot(labels, num_classes=3.0)
