"""A small residual network over vectors, conditioned on time and class."""
import math

import jax
import jax.numpy as jnp


def timestep_embedding(t, dim, max_period=1000.0):
    half = dim // 2
    freqs = jnp.exp(-math.log(max_period) * jnp.arange(half) / half)
    args = t.astype(jnp.float32)[..., None] * freqs
    return jnp.concatenate([jnp.sin(args), jnp.cos(args)], axis=-1)


def _dense_init(key, n_in, n_out, scale=1.0):
    std = scale / math.sqrt(n_in)
    return {"w": std * jax.random.truncated_normal(key, -2, 2, (n_in, n_out)), "b": jnp.zeros((n_out,))}


def _dense(p, x):
    return x @ p["w"] + p["b"]


def _layer_norm(x, eps=1e-5):
    mean = jnp.mean(x, axis=-1, keepdims=True)
    var = jnp.var(x, axis=-1, keepdims=True)
    return (x - mean) * jax.lax.rsqrt(var + eps)


def init_unet1d(key, dim, *, width=64, depth=2, emb_dim=32, num_classes=0):
    k_in, k_emb, k_cls, k_out, *rest = jax.random.split(key, 4 + 4 * depth)

    def init_block(k, n_in, n_out):
        k1, k2, k3 = jax.random.split(k, 3)
        return {
            "fc1": _dense_init(k1, n_in, n_out),
            "fc2": _dense_init(k2, n_out, n_out, scale=0.1),
            "film": _dense_init(k3, emb_dim, 2 * n_out, scale=0.1),
        }

    widths = [width // 2**i for i in range(depth + 1)]
    down = [init_block(k, a, b) for k, a, b in zip(rest[:depth], widths[:-1], widths[1:])]
    up = [init_block(k, 2 * b, a) for k, a, b in zip(rest[depth:], widths[:-1], widths[1:])][::-1]
    params = {
        "in": _dense_init(k_in, dim, width),
        "emb": _dense_init(k_emb, emb_dim, emb_dim),
        "down": down,
        "up": up,
        "out": jax.tree.map(jnp.zeros_like, _dense_init(k_out, width, dim)),
    }
    if num_classes:
        # the last row stands for "no class"
        params["classes"] = 0.1 * jax.random.normal(k_cls, (num_classes + 1, emb_dim))
    return params


def _block(p, x, emb):
    h = jax.nn.silu(_dense(p["fc1"], x))
    shift, scale = jnp.split(_dense(p["film"], emb), 2, axis=-1)
    h = _layer_norm(h) * (1.0 + scale) + shift
    h = h + _dense(p["fc2"], jax.nn.silu(h))
    return h


def unet1d(params, x, t, label=None):
    """x: (..., dim), t: (...,) integers, label: (...,) integers or None."""
    emb_dim = params["emb"]["w"].shape[0]
    emb = jax.nn.silu(_dense(params["emb"], timestep_embedding(t, emb_dim)))
    if "classes" in params:
        label = jnp.full_like(t, -1) if label is None else label
        num_classes = params["classes"].shape[0] - 1
        emb = emb + jnp.take(params["classes"], jnp.where(label < 0, num_classes, label), axis=0)
    h = _dense(params["in"], x)
    skips = []
    for p in params["down"]:
        h = _block(p, h, emb)
        skips.append(h)
    for p in params["up"]:
        h = _block(p, jnp.concatenate([h, skips.pop()], axis=-1), emb)
    return _dense(params["out"], h)
