import jax
import jax.numpy as jnp

f = jax.vmap(lambda x: x + 1, in_axes=(0, None))
f(jnp.arange(3))
