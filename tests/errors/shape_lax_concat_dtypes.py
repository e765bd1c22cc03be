import jax.numpy as jnp
from jax import lax

ids = jnp.arange(3)
mask = jnp.ones(3)
both = lax.concatenate([ids, mask], dimension=0)
