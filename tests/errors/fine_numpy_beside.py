import numpy as np
import jax
import jax.numpy as jnp

data = np.random.default_rng(0).normal(size=(20, 3)).astype(np.float32)
train, test = data[:15], data[15:]
f = jax.jit(lambda x: (x - x.mean(0)) / x.std(0))
out = np.asarray(f(train))
out = out.copy()
out[0] = 0.0
stats = np.concatenate([out, test]).max()
