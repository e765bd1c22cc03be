import jax
import jax.numpy as jnp
from functools import partial


def init(key, dim, heads):
    kq, kk, kv, ko = jax.random.split(key, 4)
    scale = dim**-0.5
    return {
        "q": jax.random.normal(kq, (dim, dim)) * scale,
        "k": jax.random.normal(kk, (dim, dim)) * scale,
        "v": jax.random.normal(kv, (dim, dim)) * scale,
        "o": jax.random.normal(ko, (dim, dim)) * scale,
    }


def split_heads(x, heads):
    batch, length, dim = x.shape
    return x.reshape(batch, length, heads, dim // heads).transpose(0, 2, 1, 3)


def merge_heads(x):
    batch, heads, length, dim = x.shape
    return x.transpose(0, 2, 1, 3).reshape(batch, length, heads * dim)


def causal_mask(length):
    return jnp.tril(jnp.ones((length, length), bool))


@partial(jax.jit, static_argnames="heads")
def attention(params, x, heads):
    q = split_heads(x @ params["q"], heads)
    k = split_heads(x @ params["k"], heads)
    v = split_heads(x @ params["v"], heads)
    scores = jnp.einsum("bhqd,bhkd->bhqk", q, k) / jnp.sqrt(q.shape[-1])
    scores = jnp.where(causal_mask(x.shape[-1]), scores, -jnp.inf)
    weights = jax.nn.softmax(scores, axis=-1)
    out = merge_heads(jnp.einsum("bhqk,bhkd->bhqd", weights, v))
    return out @ params["o"]


params = init(jax.random.key(0), 32, 4)
tokens = jax.random.normal(jax.random.key(1), (2, 10, 32))
y = attention(params, tokens, heads=4)
