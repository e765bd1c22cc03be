import jax
import jax.numpy as jnp

weights = jnp.array([1, 2, 3])
jax.grad(lambda w: (w * 0.5).sum())(weights)
