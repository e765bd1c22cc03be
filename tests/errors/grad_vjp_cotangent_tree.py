import jax
import jax.numpy as jnp

out, pullback = jax.vjp(lambda x: (x, x * 2), jnp.ones(2))
pullback(jnp.ones(2))
