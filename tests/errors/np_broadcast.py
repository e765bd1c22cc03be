import numpy as np
import jax.numpy as jnp

features = np.random.RandomState(0).rand(20, 5)
means = features.mean(axis=1)
normal = jnp.asarray(features - means)
