import jax
import jax.numpy as jnp


@jax.jit
def attend(q, k, v, mask):
    scores = jnp.einsum("bqd,bkd->bqk", q, k)
    scores = jnp.where(mask, scores, -1e9)
    return jax.nn.softmax(scores) @ v


q = jnp.ones((2, 5, 8))
k = v = jnp.ones((2, 7, 8))
mask = jnp.tril(jnp.ones((5, 5), bool))
attend(q, k, v, mask)
