import jax.numpy as jnp

import optax
optax.l2_loss(jnp.ones(3), jnp.ones(4))
