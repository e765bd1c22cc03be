import jax
import jax.numpy as jnp
import numpy as np

x = np.random.normal(size=(31_990, 10))
w = jnp.ones(10)


@jax.jit
def step(w, x):
    return w - 0.1 * jax.grad(lambda w: ((x @ w) ** 2).mean())(w)


for i in range(999):
    w = step(w, x[i * 32 : (i + 1) * 32])
order = np.random.permutation(len(x))
for i in range(0, len(x), 64):
    w = step(w, x[order[i : i + 64]])
for n, i in enumerate(range(0, len(x) - 90, 100)):
    if n == 300:
        w = w.reshape(2, 5).reshape(-1)
    first = (i * 7) % 3_000
    w = step(w, x[first : first + 100])
(w + jnp.zeros(10)).block_until_ready()
