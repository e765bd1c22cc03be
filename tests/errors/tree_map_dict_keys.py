import jax
import jax.numpy as jnp

params = {"w": jnp.ones(2), "b": jnp.zeros(())}
grads = {"w": jnp.ones(2), "bias": jnp.zeros(())}
new = jax.tree.map(lambda p, g: p - g, params, grads)
