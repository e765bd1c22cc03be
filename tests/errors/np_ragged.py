import numpy as np
import jax.numpy as jnp

rows = [[1, 2, 3], [4, 5]]
x = jnp.array(rows)
