import numpy as np
import jax.numpy as jnp

names = np.array(["cat", "dog"])
labels = jnp.asarray(names)
