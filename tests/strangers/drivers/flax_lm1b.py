import jax
import jax.numpy as jnp
import optax

import models

config = models.TransformerConfig(vocab_size=64, output_vocab_size=64, emb_dim=32, num_heads=2, num_layers=2, qkv_dim=32, mlp_dim=64, max_len=24)
model = models.TransformerLM(config)
key = jax.random.key(0)
tokens = jax.random.randint(key, (4, 16), 1, 64)
variables = jax.jit(model.init)({"params": key, "dropout": key}, tokens)
tx = optax.adamw(1e-3)
state = tx.init(variables["params"])


def loss_fn(params, tokens, dropout):
    logits = model.apply({"params": params}, tokens, rngs={"dropout": dropout})
    weights = jnp.where(tokens > 0, 1.0, 0.0)
    return (optax.softmax_cross_entropy_with_integer_labels(logits, tokens) * weights).sum() / weights.sum()


@jax.jit
def train_step(params, state, tokens, dropout):
    loss, grads = jax.value_and_grad(loss_fn)(params, tokens, dropout)
    updates, state = tx.update(grads, state, params)
    return optax.apply_updates(params, updates), state, loss


params = variables["params"]
for step in range(2):
    params, state, loss = train_step(params, state, tokens, jax.random.fold_in(key, step))
    print(step, loss)

decoder = models.TransformerLM(config.replace(deterministic=True, decode=True))
cache = decoder.init(key, jnp.ones((4, 16), jnp.int32))["cache"]


@jax.jit
def next_logits(params, cache, ids):
    logits, changed = decoder.apply({"params": params, "cache": cache}, ids, mutable=["cache"])
    return logits[:, 0], changed["cache"]


ids = tokens[:, :1]
for _ in range(3):
    logits, cache = next_logits(params, cache, ids)
    ids = jnp.argmax(logits, axis=-1)[:, None]
print(ids.shape)
