import jax
import jax.numpy as jnp


def init(key, sizes):
    keys = jax.random.split(key, len(sizes) - 1)
    return [jax.random.normal(k, (n, m)) for k, m, n in zip(keys, sizes[:-1], sizes[1:])]


@jax.jit
def forward(params, x):
    for w in params[:-1]:
        x = jnp.tanh(x @ w)
    return x @ params[-1]


params = init(jax.random.key(0), [8, 32, 4])
print(forward(params, jnp.ones((16, 8))).shape)
