import jax.numpy as jnp
import optax

optimizer = optax.chain([optax.clip(1.0), optax.sgd(0.1)])
state = optimizer.init(jnp.ones(3))
