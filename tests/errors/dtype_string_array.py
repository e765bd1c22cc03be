import jax.numpy as jnp
import numpy as np

labels = np.array(["cat", "dog"])
ids = jnp.asarray(labels)
