import jax
import jax.numpy as jnp

scales = (1.0, 2.0)
trees = ({"a": jnp.ones(2)}, [jnp.ones(3), jnp.ones(1)])
jax.tree.map(lambda s, t: jax.tree.map(lambda x: x * s, t), scales, trees)
