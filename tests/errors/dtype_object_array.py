import jax
import numpy as np

ragged = np.array([np.ones(2), np.ones(3)], dtype=object)
jax.jit(lambda x: x)(ragged)
