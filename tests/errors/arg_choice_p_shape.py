import jax
import jax.numpy as jnp

items = jnp.arange(5)
jax.random.choice(jax.random.key(0), items, (3,), p=jnp.ones(4) / 4)
