import jax
import jax.numpy as jnp
from scipy import stats


def loss(x):
    return -stats.norm.logpdf(x).sum()


jax.grad(loss)(jnp.ones(3))
