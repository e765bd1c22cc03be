import jax
import jax.numpy as jnp

jax.tree.leaves({"a": 1, 2: jnp.ones(2)})
