import jax.numpy as jnp


def split_heads(x, heads):
    batch, length, dim = x.shape
    return x.reshape(batch, length, heads, dim // heads)


q = split_heads(jnp.ones((2, 10, 64)), 6)
print(q.shape)
