import jax
import jax.numpy as jnp

f = jax.vmap(lambda w, x, c: w @ x + c, in_axes=(None, 0, None))
print(f(jnp.ones((2, 3)), jnp.ones((5, 3)), 1.0).shape)
