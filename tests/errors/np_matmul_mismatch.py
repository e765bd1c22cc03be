import numpy as np
import jax
import jax.numpy as jnp


def preprocess(x):
    basis = np.linalg.qr(np.ones((6, 3)))[0]
    return x @ basis


jax.jit(lambda x: jnp.tanh(x).sum())(preprocess(np.ones((4, 5))))
