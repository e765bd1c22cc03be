import jax.numpy as jnp
import numpy as np

rates = np.array(["0.1", "0.2"], dtype=float)
rate = jnp.float32("fast")
