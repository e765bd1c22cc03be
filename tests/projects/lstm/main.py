from __future__ import annotations

import functools
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array, lax

CORPUS = (
    "the quick brown fox jumps over the lazy dog. "
    "pack my box with five dozen liquor jugs. "
    "how vexingly quick daft zebras jump. "
) * 12

HIDDEN = 48
EMBED = 16
NUM_LAYERS = 2
SEQ_LEN = 24
BATCH = 8
STEPS = 120
LR = 5e-3
CLIP = 1.0


class LSTMState(NamedTuple):
    h: Array  # [batch, hidden]
    c: Array  # [batch, hidden]


class LSTMParams(NamedTuple):
    wx: Array  # [inputs, 4 * hidden]
    wh: Array  # [hidden, 4 * hidden]
    b: Array  # [4 * hidden]


class LMParams(NamedTuple):
    embed: Array
    cells: tuple[LSTMParams, ...]
    out_w: Array
    out_b: Array


class Vocab:
    def __init__(self, text: str):
        self.chars = sorted(set(text))
        self.stoi = {ch: i for i, ch in enumerate(self.chars)}

    def __len__(self) -> int:
        return len(self.chars)

    def encode(self, text: str) -> np.ndarray:
        return np.array([self.stoi[c] for c in text], dtype=np.int32)

    def decode(self, ids) -> str:
        return "".join(self.chars[int(i)] for i in ids)


def init_cell(key, n_in: int, n_hidden: int) -> LSTMParams:
    kx, kh = jax.random.split(key)
    init_x = jax.nn.initializers.glorot_uniform()
    init_h = jax.nn.initializers.orthogonal()
    b = jnp.zeros(4 * n_hidden).at[n_hidden:2 * n_hidden].set(1.0)  # forget gate bias
    return LSTMParams(
        wx=init_x(kx, (n_in, 4 * n_hidden), jnp.float32),
        wh=init_h(kh, (n_hidden, 4 * n_hidden), jnp.float32),
        b=b,
    )


def init_lm(key, vocab_size: int) -> LMParams:
    k_embed, k_out, *k_cells = jax.random.split(key, 2 + NUM_LAYERS)
    sizes = [EMBED] + [HIDDEN] * NUM_LAYERS
    return LMParams(
        embed=0.1 * jax.random.normal(k_embed, (vocab_size, EMBED)),
        cells=tuple(init_cell(k, m, n) for k, m, n in zip(k_cells, sizes[:-1], sizes[1:])),
        out_w=jax.random.normal(k_out, (HIDDEN, vocab_size)) / np.sqrt(HIDDEN),
        out_b=jnp.zeros(vocab_size),
    )


def zero_state(batch: int) -> tuple[LSTMState, ...]:
    return tuple(
        LSTMState(h=jnp.zeros((batch, HIDDEN)), c=jnp.zeros((batch, HIDDEN)))
        for _ in range(NUM_LAYERS)
    )


def lstm_step(p: LSTMParams, state: LSTMState, x: Array) -> tuple[LSTMState, Array]:
    gates = x @ p.wx + state.h @ p.wh + p.b
    i, f, g, o = jnp.split(gates, 4, axis=-1)
    c = jax.nn.sigmoid(f) * state.c + jax.nn.sigmoid(i) * jnp.tanh(g)
    h = jax.nn.sigmoid(o) * jnp.tanh(c)
    return LSTMState(h, c), h


def unroll(params: LMParams, states, tokens: Array):
    """Run the stack over tokens of shape [batch, time], layer by layer."""
    xs = params.embed[tokens]  # [B, T, E]
    xs = jnp.swapaxes(xs, 0, 1)  # time major for scan
    new_states = []
    for cell, state in zip(params.cells, states):
        state, xs = lax.scan(functools.partial(lstm_step, cell), state, xs)
        new_states.append(state)
    logits = jnp.einsum("tbh,hv->btv", xs, params.out_w) + params.out_b
    return logits, tuple(new_states)


def loss_fn(params: LMParams, states, batch):
    inputs, targets = batch[:, :-1], batch[:, 1:]
    logits, states = unroll(params, states, inputs)
    logp = jax.nn.log_softmax(logits, axis=-1)
    nll = -jnp.take_along_axis(logp, targets[..., None], axis=-1).squeeze(-1)
    return nll.mean(), (states, nll)


def clip_by_global_norm(grads, max_norm):
    norm = jnp.sqrt(sum(jnp.vdot(g, g) for g in jax.tree.leaves(grads)))
    factor = jnp.where(norm < max_norm, 1.0, max_norm / (norm + 1e-6))
    return jax.tree.map(lambda g: g * factor, grads), norm


@jax.jit
def train_step(params, acc, states, batch, lr):
    (loss, (states, _)), grads = jax.value_and_grad(loss_fn, has_aux=True)(params, states, batch)
    grads, norm = clip_by_global_norm(grads, CLIP)
    # RMSProp
    acc = jax.tree.map(lambda a, g: 0.95 * a + 0.05 * g ** 2, acc, grads)
    params = jax.tree.map(lambda p, g, a: p - lr * g * lax.rsqrt(a + 1e-8), params, grads, acc)
    states = jax.tree.map(lax.stop_gradient, states)
    return params, acc, states, {"loss": loss, "grad_norm": norm, "ppl": jnp.exp(loss)}


@functools.partial(jax.jit, static_argnames="length")
def generate(params: LMParams, prompt: Array, key, length: int, temperature: float = 1.0):
    """Feed the prompt [T], then sample `length` characters."""
    logits, states = unroll(params, zero_state(1), prompt[None])

    def step(carry, step_key):
        states, logits = carry
        token = jax.random.categorical(step_key, logits / temperature, axis=-1)  # [1]
        x = params.embed[token]
        new = []
        for cell, s in zip(params.cells, states):
            s, x = lstm_step(cell, s, x)
            new.append(s)
        logits = x @ params.out_w + params.out_b
        return (tuple(new), logits), token[0]

    init = (states, logits[:, -1])
    _, tokens = lax.scan(step, init, jax.random.split(key, length))
    return tokens


@jax.jit
def reverse_score(params, tokens):
    """Log-likelihood accumulated from the end of the sequence, by a reversed scan."""
    logits, _ = unroll(params, zero_state(tokens.shape[0]), tokens[:, :-1])
    logp = jax.nn.log_softmax(logits)
    picked = jnp.take_along_axis(logp, tokens[:, 1:, None], axis=2)[..., 0]

    def body(total, lp):
        total = lp + 0.99 * total
        return total, total

    _, suffix = lax.scan(body, jnp.zeros(tokens.shape[0]), picked.T, reverse=True)
    return suffix.T


def sequential_batches(ids: np.ndarray, batch: int, seq_len: int):
    """Contiguous streams so the recurrent state carries over between steps."""
    n = (len(ids) - 1) // batch
    streams = ids[: n * batch].reshape(batch, n)
    start, fresh = 0, True
    while True:
        if start + seq_len + 1 > n:
            start, fresh = 0, True
        yield streams[:, start:start + seq_len + 1], fresh
        start, fresh = start + seq_len, False


if __name__ == "__main__":
    vocab = Vocab(CORPUS)
    ids = vocab.encode(CORPUS)
    print(f"corpus: {len(ids)} characters, vocabulary of {len(vocab)}")

    params = init_lm(jax.random.key(0), len(vocab))
    acc = jax.tree.map(jnp.zeros_like, params)
    shapes = jax.tree.map(jnp.shape, params.cells[0]._asdict())
    print("first cell:", shapes)

    states = zero_state(BATCH)
    for i, (batch, fresh) in zip(range(STEPS), sequential_batches(ids, BATCH, SEQ_LEN)):
        if fresh:
            states = zero_state(BATCH)
        lr = LR * min(1.0, (i + 1) / 10)
        params, acc, states, metrics = train_step(params, acc, states, batch, lr)
        if (i + 1) % 40 == 0:
            summary = ", ".join(f"{k} {v:.3f}" for k, v in metrics.items())
            print(f"[{i + 1:>4}] {summary}")

    prompt = jnp.asarray(vocab.encode("the quick "))
    for temperature in (0.5, 1.0):
        out = generate(params, prompt, jax.random.key(1), 40, temperature)
        print(f"T={temperature}: {vocab.decode(np.asarray(out))!r}")

    score = reverse_score(params, jnp.asarray(ids[:32]).reshape(2, 16))
    print("suffix scores", score.shape, score[:, 0])
