import jax, jax.numpy as jnp, optax
from config import Config
from transformer import Transformer
cfg = Config(d_model=16, d_vocab=50, n_ctx=8, d_head=4, d_mlp=32, n_heads=4, n_layers=2)
model = Transformer(cfg)
tokens = jax.random.randint(jax.random.key(0), (2, 8), 0, 50)
params = model.init(jax.random.key(1), tokens)
logits = model.apply(params, tokens)
opt = optax.adamw(1e-3)
state = opt.init(params)
@jax.jit
def step(params, state, tokens):
    def loss(p):
        logits = model.apply(p, tokens)
        return optax.softmax_cross_entropy_with_integer_labels(logits[:, :-1], tokens[:, 1:]).mean()
    value, grads = jax.value_and_grad(loss)(params)
    updates, state = opt.update(grads, state, params)
    return optax.apply_updates(params, updates), state, value
for i in range(3):
    params, state, value = step(params, state, tokens)
gen = jnp.argmax(model.apply(params, tokens)[:, -1], axis=-1)
