"""`map` over one jitted function meets its cache."""

import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def norm(x):  # traced: 2
    return jnp.sqrt(jnp.sum(x * x))


batches = [np.ones(4), np.zeros(4), np.ones(2)]
norms = list(map(norm, batches))
print(len(norms))
