"""Train the transformer to continue arithmetic progressions modulo the vocabulary."""
import dataclasses
import functools

import jax
import jax.numpy as jnp
import numpy as np
import optax

from config import TrainConfig, TransformerConfig
from models import KVCache, Params, forward, init_params
from sampling import generate, greedy


def sample_batch(key, cfg: TransformerConfig, batch_size: int, seq_len: int):
    start_key, step_key = jax.random.split(key)
    start = jax.random.randint(start_key, (batch_size, 1), 0, cfg.vocab_size)
    stride = jax.random.randint(step_key, (batch_size, 1), 1, 5)
    return (start + stride * jnp.arange(seq_len + 1)) % cfg.vocab_size


def loss_fn(params: Params, cfg: TransformerConfig, tokens):
    logits, _ = forward(cfg, params, tokens[:, :-1])
    targets = tokens[:, 1:]
    losses = optax.softmax_cross_entropy_with_integer_labels(logits, targets)
    # the first target cannot be predicted from one token
    mask = (jnp.arange(targets.shape[1]) > 0).astype(losses.dtype)
    loss = jnp.sum(losses * mask) / (mask.sum() * targets.shape[0])
    accuracy = jnp.mean(logits[:, 1:].argmax(-1) == targets[:, 1:])
    return loss, accuracy


def make_train_step(cfg: TransformerConfig, tcfg: TrainConfig, tx: optax.GradientTransformation):
    grad_fn = jax.value_and_grad(loss_fn, has_aux=True)

    @functools.partial(jax.jit, donate_argnums=(0, 1))
    def train_step(params, opt_state, key):
        batch = sample_batch(key, cfg, tcfg.batch_size, tcfg.seq_len)
        (loss, acc), grads = grad_fn(params, cfg, batch)
        updates, opt_state = tx.update(grads, opt_state, params)
        return optax.apply_updates(params, updates), opt_state, loss, acc

    return train_step


def check_cache(cfg, params, tokens):
    """The cached forward pass has to agree with the full one."""
    full, _ = forward(cfg, params, tokens)
    cache = KVCache.create(cfg, tokens.shape[0], tokens.shape[1])
    pieces = []
    for chunk in jnp.split(tokens, 3, axis=1):
        out, cache = forward(cfg, params, chunk, cache)
        pieces.append(out)
    return jnp.max(jnp.abs(jnp.concatenate(pieces, axis=1) - full))


def main():
    cfg = TransformerConfig()
    tcfg = TrainConfig()
    key = jax.random.key(0)
    key, init_key = jax.random.split(key)
    params = init_params(init_key, cfg)
    leaves = jax.tree_util.tree_leaves_with_path(params)
    for path, leaf in leaves[:4]:
        print(f"{jax.tree_util.keystr(path):<22} {leaf.shape}")
    print(f"total parameters: {sum(x.size for _, x in leaves):,}")

    schedule = optax.warmup_cosine_decay_schedule(0.0, tcfg.lr, warmup_steps=20, decay_steps=tcfg.steps)
    tx = optax.adam(schedule, b2=0.98)
    opt_state = tx.init(params)
    train_step = make_train_step(cfg, tcfg, tx)

    for step in range(1, tcfg.steps + 1):
        params, opt_state, loss, acc = train_step(params, opt_state, jax.random.fold_in(key, step))
        if step % tcfg.log_every == 0:
            print(f"step {step:>4} | loss {loss.item():.4f} | acc {acc.item():.3f}")

    prompt = jnp.array([[0, 2, 4, 6], [1, 4, 7, 10]])
    print("cache error small:", bool(check_cache(cfg, params, jnp.tile(prompt, (1, 3))) < 1e-3))
    sampled = generate(cfg, params, prompt, key, max_new=8, temperature=0.8, top_k=5, top_p=0.95)
    print("sampled", np.asarray(sampled))
    best, length = greedy(cfg, params, prompt, 14, 20)
    print("greedy ", np.asarray(best), "stopped at", int(length))
    wide = dataclasses.replace(cfg, n_kv_heads=4)
    shapes = jax.eval_shape(functools.partial(init_params, cfg=wide), jax.random.key(0))
    print("multi-head variant wk:", shapes.layers.wk.shape)


if __name__ == "__main__":
    main()
