import jax
import jax.numpy as jnp
from jax import lax

jax.vmap(lambda x: lax.ppermute(x, "i", [(0, 0), (1, 0)]), axis_name="i")(jnp.ones(3))
