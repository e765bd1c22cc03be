import jax
import numpy as np

jax.jit(lambda x: x, static_argnums=0)(np.ones(3))
