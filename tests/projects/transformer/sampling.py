from functools import partial

import jax
import jax.numpy as jnp
from jax import lax

from models import KVCache, forward


def top_k_logits(logits, k):
    values, _ = lax.top_k(logits, k)
    threshold = values[..., -1:]
    return jnp.where(logits < threshold, -jnp.inf, logits)


def top_p_logits(logits, p):
    """Keep the smallest set of tokens whose total probability is at least p."""
    order = jnp.argsort(logits, axis=-1)[..., ::-1]
    sorted_logits = jnp.take_along_axis(logits, order, axis=-1)
    probs = jax.nn.softmax(sorted_logits, axis=-1)
    keep_sorted = jnp.cumsum(probs, axis=-1) - probs < p
    rank = jnp.argsort(order, axis=-1)
    keep = jnp.take_along_axis(keep_sorted, rank, axis=-1)
    return jnp.where(keep, logits, -jnp.inf)


@partial(jax.jit, static_argnames=("cfg", "max_new", "top_k"))
def generate(cfg, params, prompt, key, *, max_new, temperature=1.0, top_k=None, top_p=1.0):
    """Sample max_new tokens after prompt (B, T)."""
    B, T = prompt.shape
    cache = KVCache.create(cfg, B, T + max_new)
    logits, cache = forward(cfg, params, prompt, cache)

    def pick(logits, key):
        logits = logits / temperature
        if top_k is not None:
            logits = top_k_logits(logits, top_k)
        logits = top_p_logits(logits, top_p)
        return jax.random.categorical(key, logits)

    def step(carry, key):
        last, cache = carry
        token = pick(last, key)
        logits, cache = forward(cfg, params, token[:, None], cache)
        return (logits[:, 0], cache), token

    keys = jax.random.split(key, max_new)
    _, tokens = lax.scan(step, (logits[:, -1], cache), keys)
    return jnp.concatenate([prompt, tokens.T], axis=1)


@partial(jax.jit, static_argnums=(0, 3))
def greedy(cfg, params, prompt, total_len, stop_token=-1):
    """Greedy decoding with early stopping: while_loop over a fixed buffer."""
    B, T = prompt.shape
    buffer = jnp.zeros((B, total_len), prompt.dtype).at[:, :T].set(prompt)
    logits, cache = forward(cfg, params, prompt, KVCache.create(cfg, B, total_len))
    first = jnp.argmax(logits[:, -1], axis=-1).astype(prompt.dtype)

    def cond(state):
        i, _, _, _, done = state
        return (i < total_len) & ~jnp.all(done)

    def body(state):
        i, token, buffer, cache, done = state
        buffer = lax.dynamic_update_slice(buffer, jnp.where(done, 0, token)[:, None], (0, i))
        done = done | (token == stop_token)
        logits, cache = forward(cfg, params, token[:, None], cache)
        token = logits[:, 0].argmax(-1).astype(buffer.dtype)
        return i + 1, token, buffer, cache, done

    state = (jnp.int32(T), first, buffer, cache, jnp.zeros(B, bool))
    i, _, buffer, _, _ = lax.while_loop(cond, body, state)
    return buffer, i
