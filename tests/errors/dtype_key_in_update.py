import jax, jax.numpy as jnp
state = {"w": jnp.ones(2), "rng": jax.random.key(0)}
new = jax.tree.map(lambda x: x * 0.9, state)
