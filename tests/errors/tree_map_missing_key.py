import jax
import jax.numpy as jnp

params = {"w": jnp.ones(2), "b": jnp.zeros(2)}
grads = {"w": jnp.ones(2)}
new = jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)
