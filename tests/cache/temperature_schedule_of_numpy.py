"""A schedule from NumPy, item by item."""

import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def soften(logits, t):  # traced: 2
    return jax.nn.softmax(logits / t)


logits = jnp.ones(3)
for t in np.linspace(1.0, 0.1, 3):
    soften(logits, t)
for t in np.linspace(1.0, 0.1, 3, dtype=np.float32):
    soften(logits, t)
for t in np.linspace(1.0, 0.1, 3).tolist():
    soften(logits, t)
for t in jnp.linspace(1.0, 0.1, 3):
    soften(logits, t)
