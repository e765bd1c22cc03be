import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def f(x):
    y = np.reshape(x, (3, 1)) + np.mean(x) - np.max(x, axis=0)
    return np.transpose(np.squeeze(y)) * np.prod(x.shape) + np.cumsum(x) + np.sum(x)


f(jnp.ones(3))
np.sum(jnp.ones(3)).at[()].set(2.0)
