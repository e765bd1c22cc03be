import jax
import numpy as np

raw = np.asarray(jax.random.PRNGKey(0))
new = np.asarray(jax.random.key(0))
