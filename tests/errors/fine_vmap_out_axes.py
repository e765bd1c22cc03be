import jax
import jax.numpy as jnp

f = jax.vmap(lambda x: (x, jnp.float32(1)), in_axes=1, out_axes=(1, None))
print([v.shape for v in f(jnp.ones((2, 3)))])
