import jax
import jax.numpy as jnp

losses = []


@jax.jit
def train_step(w, x, y):
    loss, grad = jax.value_and_grad(lambda w: jnp.mean((x @ w - y) ** 2))(w)
    losses.append(loss)
    return w - 0.1 * grad


w = jnp.zeros(2)
x, y = jnp.ones((4, 2)), jnp.ones(4)
for _ in range(3):
    w = train_step(w, x, y)
print(sum(losses) / len(losses))
