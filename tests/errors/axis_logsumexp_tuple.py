import jax
import jax.numpy as jnp

logits = jnp.ones((4, 5))
z = jax.scipy.special.logsumexp(logits, axis=(0, 0))
