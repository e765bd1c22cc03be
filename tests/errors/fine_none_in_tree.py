import jax
import jax.numpy as jnp

params = {"w": jnp.ones(2), "b": None}
doubled = jax.tree.map(lambda p: p * 2, params)
total = jax.jit(lambda p: sum(jnp.sum(x) for x in jax.tree.leaves(p)))(params)
