"""A function that is called behind a loop of many steps, whose numbers it is given."""

import jax
import jax.numpy as jnp
from jax import lax


def loss(w, x):
    return jnp.mean((jnp.tanh(x @ w) - 0.5) ** 2)


@jax.jit
def step(w, m, x):
    m = 0.9 * m + jax.grad(loss)(w, x)
    return w - 0.05 * m, m


def case(w, key):
    def sample(key, n):
        noise = jax.random.normal(key, (n, w.shape[0]))

        def move(c, row):
            def each(col):
                # fault: row @ jnp.ones((3, 3))
                return (row * col).sum() + c

            return c + 0.1, jax.vmap(each, in_axes=1)(w)

        return lax.scan(move, 0.0, noise)[1]

    return jax.jit(sample, static_argnums=1)(key, 5)


x = jnp.linspace(-1.0, 1.0, 120).reshape(10, 12)
w, m = jnp.zeros((12, 15)), jnp.zeros((12, 15))
for i in range(400):
    w, m = step(w, m, x * (1 + i % 3))
result = case(w, jax.random.key(1))
