import jax
import jax.numpy as jnp

params = [jnp.ones(2), jnp.ones(3)]
grads = [jnp.ones(2)]
jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)
