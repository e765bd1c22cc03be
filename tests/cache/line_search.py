"""A line search in plain Python: its loop ends by numbers long before its last round, and is run to there, since little is left of it."""
import jax
import jax.numpy as jnp


def loss(x):
    total = 0.0
    for i in range(80):
        total = total + jnp.sum((x - i / 80) ** 2) * jnp.cos(i / 80)
    return total


x = jnp.array([3.0, -2.0])
slope = -8.0 * x
begun = loss(x)
step, tried = 1.0, 0
for _ in range(30):
    if float(loss(x + step * slope)) < 0.9 * float(begun):
        break

    @jax.jit
    def note(x):  # traced: 5
        return x * 2

    note(x)
    step *= 0.7
    tried += 1


@jax.jit
def after(x):  # traced: 1
    return x + 1


after(jnp.zeros(tried + 1))
