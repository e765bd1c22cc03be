import jax
import jax.numpy as jnp
import optax


def objective(params, x, labels):
    logits = jnp.tanh(x @ params["w"]) @ params["out"]
    return optax.softmax_cross_entropy(logits, labels).mean(), logits.argmax(-1)


@jax.jit
def step(params, x, labels):
    (loss, guess), grads = jax.value_and_grad(objective, has_aux=True)(params, x, labels)
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads), loss, (guess == labels).mean()


params = {"w": jnp.ones((12, 16)), "out": jnp.ones((16, 4))}
step(params, jnp.ones((8, 12)), jnp.zeros(8, int))
