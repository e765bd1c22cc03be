import jax.numpy as jnp
import numpy as np

buffer = np.zeros((3, 2))
for i in range(3):
    buffer[i] = jnp.ones(2) * i
x = jnp.asarray(buffer)
