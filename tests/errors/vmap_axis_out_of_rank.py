import jax
import jax.numpy as jnp

batched = jax.vmap(lambda x: x * 2, in_axes=1)
batched(jnp.arange(4))
