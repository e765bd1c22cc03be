import jax
import jax.numpy as jnp
import scipy.linalg

a = jnp.eye(3)
b = scipy.linalg.expm(a)
c = jax.vmap(lambda m: scipy.linalg.expm(m))(jnp.ones((2, 3, 3)))
