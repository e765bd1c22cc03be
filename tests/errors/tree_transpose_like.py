import jax
import jax.numpy as jnp

batch = [{"x": jnp.ones(2)}, {"y": jnp.ones(2)}]
jax.tree.map(lambda *rows: jnp.stack(rows), *batch)
