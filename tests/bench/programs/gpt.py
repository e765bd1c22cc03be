"""A decoder-only transformer in plain JAX: twelve layers in a Python loop, loss and gradient."""
import jax
import jax.numpy as jnp

VOCAB, WIDTH, HEADS, LAYERS, LENGTH, BATCH = 512, 256, 8, 12, 128, 4


def init_linear(key, n_in, n_out):
    return {"w": jax.random.normal(key, (n_in, n_out)) * n_in**-0.5, "b": jnp.zeros(n_out)}


def init_norm():
    return {"scale": jnp.ones(WIDTH), "bias": jnp.zeros(WIDTH)}


def init_block(key):
    keys = jax.random.split(key, 4)
    return {
        "norm1": init_norm(),
        "qkv": init_linear(keys[0], WIDTH, 3 * WIDTH),
        "out": init_linear(keys[1], WIDTH, WIDTH),
        "norm2": init_norm(),
        "up": init_linear(keys[2], WIDTH, 4 * WIDTH),
        "down": init_linear(keys[3], 4 * WIDTH, WIDTH),
    }


def init(key):
    keys = jax.random.split(key, LAYERS + 2)
    return {
        "tokens": 0.02 * jax.random.normal(keys[0], (VOCAB, WIDTH)),
        "positions": 0.02 * jax.random.normal(keys[1], (LENGTH, WIDTH)),
        "blocks": [init_block(k) for k in keys[2:]],
        "norm": init_norm(),
    }


def linear(p, x):
    return x @ p["w"] + p["b"]


def layer_norm(p, x):
    mean = jnp.mean(x, axis=-1, keepdims=True)
    variance = jnp.var(x, axis=-1, keepdims=True)
    return (x - mean) * jax.lax.rsqrt(variance + 1e-5) * p["scale"] + p["bias"]


def attention(p, x):
    batch, length, _ = x.shape
    q, k, v = jnp.split(linear(p["qkv"], x), 3, axis=-1)
    heads = lambda a: a.reshape(batch, length, HEADS, WIDTH // HEADS).transpose(0, 2, 1, 3)
    q, k, v = heads(q), heads(k), heads(v)
    scores = jnp.einsum("bhqd,bhkd->bhqk", q, k) / jnp.sqrt(WIDTH // HEADS)
    mask = jnp.tril(jnp.ones((length, length), dtype=bool))
    scores = jnp.where(mask, scores, -1e9)
    weights = jax.nn.softmax(scores, axis=-1)
    mixed = jnp.einsum("bhqk,bhkd->bhqd", weights, v)
    return linear(p["out"], mixed.transpose(0, 2, 1, 3).reshape(batch, length, WIDTH))


def block(p, x):
    x = x + attention(p, layer_norm(p["norm1"], x))
    hidden = jax.nn.gelu(linear(p["up"], layer_norm(p["norm2"], x)))
    return x + linear(p["down"], hidden)


def forward(params, tokens):
    x = params["tokens"][tokens] + params["positions"][: tokens.shape[1]]
    for p in params["blocks"]:
        x = block(p, x)
    return layer_norm(params["norm"], x) @ params["tokens"].T


def loss(params, tokens):
    logits = forward(params, tokens[:, :-1])
    logp = jax.nn.log_softmax(logits)
    picked = jnp.take_along_axis(logp, tokens[:, 1:, None], axis=-1)
    return -jnp.mean(picked)


params = init(jax.random.key(0))
tokens = jnp.zeros((BATCH, LENGTH), jnp.int32)
