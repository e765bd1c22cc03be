import jax.numpy as jnp
from jax import lax

lax.concatenate([jnp.ones((2, 3)), jnp.ones(3)], 0)
