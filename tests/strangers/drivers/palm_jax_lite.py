import equinox as eqx
import jax
import jax.numpy as jnp

from palm_jax.palm_lite import PaLM

model = PaLM(num_tokens=50, dim=32, depth=2, heads=4, dim_head=8, key=jax.random.PRNGKey(0), max_seq_len=16)


@eqx.filter_value_and_grad
def loss_fn(model, tokens):
    logits = jax.vmap(lambda row: PaLM.__call__.__wrapped__(model, row))(tokens[:, :-1])
    log_probs = jax.nn.log_softmax(logits, axis=-1)
    return -jnp.mean(jnp.take_along_axis(log_probs, tokens[:, 1:, None], axis=-1))


@eqx.filter_jit
def step(model, tokens):
    loss, grads = loss_fn(model, tokens)
    return eqx.apply_updates(model, jax.tree.map(lambda g: -0.01 * g, grads)), loss


tokens = jax.random.randint(jax.random.PRNGKey(1), (3, 13), 0, 50)
for _ in range(2):
    model, loss = step(model, tokens)
print(loss)
