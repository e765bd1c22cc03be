import numpy as np
import jax.numpy as jnp

x = np.asarray(jnp.ones(3))
x[0] = 2.0
