import jax
import jax.numpy as jnp

jax.grad(lambda w: (w**2).sum(), has_aux=True)(jnp.ones(3))
