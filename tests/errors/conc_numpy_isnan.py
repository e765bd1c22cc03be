import jax
import jax.numpy as jnp
import numpy as np

def check(x):
    if np.isnan(x).any():
        raise ValueError("nan")
    return x

check(jnp.ones(2))
jax.jit(check)(jnp.ones(2))
