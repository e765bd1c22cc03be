import jax
import jax.numpy as jnp

jax.tree_multimap(lambda a, b: a + b, [1.0], [2.0])
