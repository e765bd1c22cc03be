import jax
import jax.numpy as jnp
import optax

from model import GPT, GPTConfig

config = GPTConfig(block_size=16, vocab_size=64, num_layers=2, num_heads=2, num_embeds=32, dtype="float32")
model = GPT(config)
params = model.init(jax.random.PRNGKey(0))
tokens = jax.random.randint(jax.random.PRNGKey(1), (4, 17), 0, 64)
tx = optax.adamw(1e-3, weight_decay=0.1)
state = tx.init(params)


def loss_fn(params, tokens, key):
    logits = model.apply(params, tokens[:, :-1], deterministic=False, rngs={"dropout": key})
    return optax.softmax_cross_entropy_with_integer_labels(logits, tokens[:, 1:]).mean()


@jax.jit
def train_step(params, state, tokens, key):
    loss, grads = jax.value_and_grad(loss_fn)(params, tokens, key)
    updates, state = tx.update(grads, state, params)
    return optax.apply_updates(params, updates), state, loss


for step in range(3):
    params, state, loss = train_step(params, state, tokens, jax.random.fold_in(jax.random.PRNGKey(2), step))
    print(step, loss)
logits = jax.jit(model.apply, static_argnums=2)(params, tokens[:, :-1], True)
print(logits.shape, jnp.argmax(logits[:, -1], axis=-1))
