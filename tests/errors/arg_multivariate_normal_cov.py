import jax
import jax.numpy as jnp

mean = jnp.zeros(3)
jax.random.multivariate_normal(jax.random.key(0), mean, jnp.eye(2))
