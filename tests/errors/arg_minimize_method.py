import jax, jax.numpy as jnp
from jax.scipy.optimize import minimize
res = minimize(lambda x: jnp.sum(x ** 2), jnp.ones(2), method="Nelder-Mead")
