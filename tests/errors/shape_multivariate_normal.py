import jax
import jax.numpy as jnp

mean = jnp.zeros(3)
cov = jnp.eye(2)
jax.random.multivariate_normal(jax.random.key(3), mean, cov)
