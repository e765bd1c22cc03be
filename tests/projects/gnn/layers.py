import functools
from typing import TypedDict

import jax
import jax.numpy as jnp
from jax.ops import segment_max, segment_sum

from graphs import GraphsTuple


class LinearParams(TypedDict):
    w: jax.Array
    b: jax.Array


def init_linear(key, n_in: int, n_out: int) -> LinearParams:
    return LinearParams(w=jax.nn.initializers.glorot_normal()(key, (n_in, n_out)), b=jnp.zeros(n_out))


def linear(p: LinearParams, x):
    return x @ p["w"] + p["b"]


def segment_mean(data, segment_ids, num_segments):
    total = segment_sum(data, segment_ids, num_segments)
    count = segment_sum(jnp.ones(data.shape[:1], data.dtype), segment_ids, num_segments)
    return total / jnp.maximum(count, 1)[(...,) + (None,) * (data.ndim - 1)]


def segment_softmax(logits, segment_ids, num_segments):
    """Softmax over the entries that share a segment."""
    peak = segment_max(logits, segment_ids, num_segments)
    shifted = jnp.exp(logits - jax.lax.stop_gradient(peak)[segment_ids])
    return shifted / (segment_sum(shifted, segment_ids, num_segments)[segment_ids] + 1e-9)


def init_attention(key, dim: int, edge_dim: int, heads: int):
    kq, kk, kv, ko = jax.random.split(key, 4)
    return {
        "query": init_linear(kq, dim, dim),
        "key": init_linear(kk, dim + edge_dim, dim),
        "value": init_linear(kv, dim + edge_dim, dim),
        "out": init_linear(ko, dim, dim),
    }


def attention_layer(p, g: GraphsTuple, h, *, heads: int):
    """Every node attends to its neighbours; (N, D) -> (N, D)."""
    n, dim = h.shape
    split = lambda x: x.reshape(-1, heads, dim // heads)
    sent = jnp.concatenate([h[g.senders], g.edges], axis=-1)
    q = split(linear(p["query"], h))[g.receivers]
    k, v = split(linear(p["key"], sent)), split(linear(p["value"], sent))
    logits = jnp.sum(q * k, axis=-1) / jnp.sqrt(dim / heads)  # (E, heads)
    alpha = segment_softmax(logits, g.receivers, n)
    out = segment_sum(alpha[..., None] * v, g.receivers, n)
    return linear(p["out"], out.reshape(n, dim))


def init_mpnn(key, dim: int, edge_dim: int, heads: int):
    k1, k2 = jax.random.split(key)
    return {"message": init_linear(k1, 2 * dim + edge_dim, dim), "update": init_linear(k2, 2 * dim, dim)}


def mpnn_layer(p, g: GraphsTuple, h, *, aggregate=segment_sum):
    pair = jnp.hstack([h[g.senders], h[g.receivers], g.edges])
    messages = jax.nn.leaky_relu(linear(p["message"], pair))
    received = aggregate(messages, g.receivers, h.shape[0])
    return linear(p["update"], jnp.hstack([h, received]))


LAYERS = {
    "attention": (init_attention, functools.partial(attention_layer, heads=4)),
    "sum": (init_mpnn, mpnn_layer),
    "mean": (init_mpnn, functools.partial(mpnn_layer, aggregate=segment_mean)),
}
