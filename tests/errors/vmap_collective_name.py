import jax
import jax.numpy as jnp
from jax import lax

jax.vmap(lambda x: lax.pmean(x, ("i", "j")), axis_name="i")(jnp.ones(3))
