import jax
import jax.numpy as jnp


def sample(key, mean, cov):
    root = jnp.linalg.cholesky(cov)
    return mean + root @ jax.random.normal(key, mean.shape)


data = jax.random.normal(jax.random.key(0), (20, 4))
sample(jax.random.key(1), data.mean(0), data - data.mean(0))
