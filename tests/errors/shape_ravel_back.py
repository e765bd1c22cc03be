import jax
import jax.numpy as jnp

from jax.flatten_util import ravel_pytree
v, un = ravel_pytree({"a": jnp.ones(3)})
un(jnp.ones(4))
