import jax
import jax.numpy as jnp


def glorot(key, shape):
    return jax.random.normal(key, shape) * jnp.sqrt(2 / sum(shape))


def init_lstm(key, n_in, n_hidden):
    k1, k2 = jax.random.split(key)
    return {
        "input": glorot(k1, (n_in, 4 * n_hidden)),
        "hidden": glorot(k2, (n_hidden, 4 * n_hidden)),
        "bias": jnp.zeros(4 * n_hidden),
    }


def cell(params, state, x):
    h, c = state
    gates = x @ params["input"] + h @ params["hidden"] + params["bias"]
    i, f, g, o = jnp.split(gates, 4)
    c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
    h = jax.nn.sigmoid(o) * jnp.tanh(c)
    return (h, c), h


def encode(params, xs):
    n = params["hidden"].shape[0]
    state = (jnp.zeros(n), jnp.zeros(n))
    (h, c), hs = jax.lax.scan(lambda s, x: cell(params, s, x), state, xs)
    return hs


def loss(params, xs, ys):
    hs = jax.vmap(encode, in_axes=(None, 0))(params, xs)
    return jnp.mean((hs.sum(-1) - ys) ** 2)


params = init_lstm(jax.random.key(0), 3, 8)
value, grads = jax.value_and_grad(loss)(params, jnp.ones((4, 10, 3)), jnp.ones((4, 10)))
norms = jax.tree.map(lambda g: jnp.linalg.norm(g), grads)
update = jax.tree.map(lambda p, g: p - 0.1 * g / norms, params, grads)
