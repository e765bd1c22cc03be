import numpy as np
import jax.numpy as jnp

train = np.zeros((10, 4))
labels = train[:, 4]
x = jnp.asarray(labels)
