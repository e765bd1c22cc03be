import numpy as np

import jax.numpy as jnp

names = np.arange(3)
x = jnp.asarray(names[3])
