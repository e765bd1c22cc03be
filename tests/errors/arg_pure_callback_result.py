import jax
import numpy as np

jax.pure_callback(np.sin, (3,), 1.0)
