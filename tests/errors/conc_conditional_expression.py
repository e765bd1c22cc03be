import jax
import jax.numpy as jnp

xs = jnp.linspace(-1, 1, 5)
ys = jax.vmap(lambda x: x if x > 0 else 0.0)(xs)
