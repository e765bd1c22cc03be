import jax
import jax.numpy as jnp

layers = [(jnp.ones((2, 2)), jnp.zeros(2))]
updates = [[jnp.ones((2, 2)), jnp.zeros(2)]]
jax.tree.map(jnp.add, layers, updates)
