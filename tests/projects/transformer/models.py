"""Decoder-only transformer. One stacked pytree for all the layers, run by lax.scan."""
from typing import NamedTuple, Optional, Tuple

import jax
import jax.numpy as jnp
from jax import lax

from config import TransformerConfig


class LayerParams(NamedTuple):
    attn_norm: jax.Array  # (D,)
    wq: jax.Array  # (D, H, K)
    wk: jax.Array  # (D, G, K)
    wv: jax.Array  # (D, G, K)
    wo: jax.Array  # (H, K, D)
    ffn_norm: jax.Array  # (D,)
    w_gate: jax.Array  # (D, F)
    w_up: jax.Array  # (D, F)
    w_down: jax.Array  # (F, D)


class Params(NamedTuple):
    embed: jax.Array  # (V, D)
    layers: LayerParams  # every leaf has a leading layer axis
    final_norm: jax.Array  # (D,)


class KVCache(NamedTuple):
    k: jax.Array  # (L, B, S, G, K)
    v: jax.Array  # (L, B, S, G, K)
    pos: jax.Array  # () int32, number of filled slots

    @classmethod
    def create(cls, cfg: TransformerConfig, batch: int, max_len: int, dtype=jnp.float32):
        shape = (cfg.n_layers, batch, max_len, cfg.n_kv_heads, cfg.head_dim)
        return cls(k=jnp.zeros(shape, dtype), v=jnp.zeros(shape, dtype), pos=jnp.int32(0))


def init_params(key: jax.Array, cfg: TransformerConfig) -> Params:
    embed_key, layer_key = jax.random.split(key)
    D, H, G, K, F = cfg.dim, cfg.n_heads, cfg.n_kv_heads, cfg.head_dim, cfg.ffn_dim

    def normal(k, shape, fan_in):
        return jax.random.normal(k, shape) * fan_in**-0.5

    def init_layer(k):
        ks = jax.random.split(k, 7)
        return LayerParams(
            attn_norm=jnp.ones(D),
            wq=normal(ks[0], (D, H, K), D),
            wk=normal(ks[1], (D, G, K), D),
            wv=normal(ks[2], (D, G, K), D),
            wo=normal(ks[3], (H, K, D), H * K),
            ffn_norm=jnp.ones(D),
            w_gate=normal(ks[4], (D, F), D),
            w_up=normal(ks[5], (D, F), D),
            w_down=normal(ks[6], (F, D), F),
        )

    layers = jax.vmap(init_layer)(jax.random.split(layer_key, cfg.n_layers))
    embed = 0.02 * jax.random.normal(embed_key, (cfg.vocab_size, D))
    return Params(embed, layers, jnp.ones(D))


def rms_norm(x: jax.Array, scale: jax.Array, eps: float) -> jax.Array:
    var = jnp.mean(jnp.square(x.astype(jnp.float32)), axis=-1, keepdims=True)
    return (x * lax.rsqrt(var + eps)).astype(x.dtype) * scale


def rope_tables(positions: jax.Array, head_dim: int, theta: float) -> Tuple[jax.Array, jax.Array]:
    inv_freq = 1.0 / theta ** (jnp.arange(0, head_dim, 2) / head_dim)
    angles = positions[:, None] * inv_freq[None, :]
    return jnp.sin(angles), jnp.cos(angles)


def apply_rope(x: jax.Array, sin: jax.Array, cos: jax.Array) -> jax.Array:
    # x: (B, T, N, K), tables: (T, K/2)
    x1, x2 = x[..., ::2], x[..., 1::2]
    sin, cos = sin[None, :, None, :], cos[None, :, None, :]
    rotated = jnp.stack([x1 * cos - x2 * sin, x2 * cos + x1 * sin], axis=-1)
    return rotated.reshape(x.shape)


def attention(q, k, v, mask):
    """Grouped-query attention. q: (B, T, H, K), k and v: (B, S, G, K), mask: (T, S)."""
    B, T, H, K = q.shape
    G = k.shape[2]
    q = q.reshape(B, T, G, H // G, K)
    scores = jnp.einsum("btgrk,bsgk->bgrts", q, k) / jnp.sqrt(K)
    scores = jnp.where(mask, scores, jnp.finfo(scores.dtype).min)
    weights = jax.nn.softmax(scores, axis=-1)
    out = jnp.einsum("bgrts,bsgk->btgrk", weights, v)
    return out.reshape(B, T, H, K)


def layer_fn(cfg, p: LayerParams, x, sin, cos, mask, cache_kv=None, pos=None):
    h = rms_norm(x, p.attn_norm, cfg.norm_eps)
    q = apply_rope(jnp.einsum("btd,dhk->bthk", h, p.wq), sin, cos)
    k = apply_rope(jnp.einsum("btd,dgk->btgk", h, p.wk), sin, cos)
    v = jnp.einsum("btd,dgk->btgk", h, p.wv)
    if cache_kv is not None:
        k = lax.dynamic_update_slice_in_dim(cache_kv[0], k, pos, axis=1)
        v = lax.dynamic_update_slice_in_dim(cache_kv[1], v, pos, axis=1)
    attn = attention(q, k, v, mask)
    x = x + jnp.einsum("bthk,hkd->btd", attn, p.wo)
    h = rms_norm(x, p.ffn_norm, cfg.norm_eps)
    x = x + (jax.nn.silu(h @ p.w_gate) * (h @ p.w_up)) @ p.w_down
    return x, (k, v)


def forward(cfg: TransformerConfig, params: Params, tokens: jax.Array, cache: Optional[KVCache] = None):
    """tokens: (B, T) -> logits (B, T, V) and the updated cache (None without cache)."""
    B, T = tokens.shape
    x = params.embed[tokens] * cfg.dim**0.5
    start = 0 if cache is None else cache.pos
    positions = start + jnp.arange(T)
    sin, cos = rope_tables(positions, cfg.head_dim, cfg.rope_theta)

    if cache is None:
        mask = jnp.tril(jnp.ones((T, T), dtype=bool))

        def body(x, p):
            x, _ = layer_fn(cfg, p, x, sin, cos, mask)
            return x, None

        x, _ = lax.scan(jax.checkpoint(body), x, params.layers)
        new_cache = None
    else:
        slots = jnp.arange(cache.k.shape[2])
        mask = slots[None, :] <= positions[:, None]

        def body(x, layer):
            p, k, v = layer
            x, kv = layer_fn(cfg, p, x, sin, cos, mask, (k, v), cache.pos)
            return x, kv

        x, (ks, vs) = lax.scan(body, x, (params.layers, cache.k, cache.v))
        new_cache = KVCache(ks, vs, cache.pos + T)

    x = rms_norm(x, params.final_norm, cfg.norm_eps)
    return jnp.einsum("btd,vd->btv", x, params.embed), new_cache
