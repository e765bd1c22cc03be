import jax
import jax.numpy as jnp

jax.tree.reduce(jnp.add, {})
