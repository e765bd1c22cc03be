import jax.numpy as jnp
from jax.scipy.integrate import simpson
