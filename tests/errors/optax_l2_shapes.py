import jax.numpy as jnp
import optax

loss = optax.l2_loss(jnp.ones((8, 1)), jnp.ones(8)).mean()
worse = optax.squared_error(jnp.ones((8, 3)), jnp.ones(8)).mean()
