import jax
import jax.numpy as jnp

def attend(q, k, v):
    return jax.nn.dot_product_attention(q, k, v)

attend(jnp.ones((1, 4, 2, 8)), jnp.ones((1, 6, 2, 8)), jnp.ones((1, 6, 2, 8)))
attend(jnp.ones((1, 4, 2, 8)), jnp.ones((1, 6, 3, 8)), jnp.ones((1, 6, 3, 8)))
