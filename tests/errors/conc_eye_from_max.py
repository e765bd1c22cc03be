import jax
import jax.numpy as jnp


@jax.jit
def adjacency(edges):
    n = jnp.max(edges) + 1
    return jnp.eye(n)


adjacency(jnp.array([[0, 1], [1, 2]]))
