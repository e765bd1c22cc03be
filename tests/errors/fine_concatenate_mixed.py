import jax.numpy as jnp
import numpy as np

both = jnp.concatenate([jnp.arange(3), np.ones(2), jnp.array([7])])
stacked = jnp.stack([1.0, jnp.ones(()), np.float32(3)])
