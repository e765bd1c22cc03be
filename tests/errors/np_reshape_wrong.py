import numpy as np
import jax.numpy as jnp

data = np.arange(100).reshape(10, 10)
images = data.reshape(-1, 3, 8)
x = jnp.asarray(images)
