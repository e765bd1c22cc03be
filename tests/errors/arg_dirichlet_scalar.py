import jax
import jax.numpy as jnp

jax.random.dirichlet(jax.random.key(0), 1.0)
