import jax
import jax.numpy as jnp


def init_layer(key, n_in, n_out):
    return {
        "w": jax.random.normal(key, (n_in, n_out)) / jnp.sqrt(n_in),
        "b": jnp.zeros(n_out),
    }


def init_mlp(key, sizes):
    keys = jax.random.split(key, len(sizes) - 1)
    return [init_layer(k, m, n) for k, m, n in zip(keys, sizes[:-1], sizes[1:])]


def mlp(params, x):
    for layer in params[:-1]:
        x = jax.nn.relu(layer["w"] @ x + layer["b"])
    last = params[-1]
    return x @ last["w"] + last["b"]


def loss(params, batch):
    inputs, targets = batch
    predictions = jax.vmap(mlp, in_axes=(None, 0))(params, inputs)
    return jnp.mean((predictions - targets) ** 2)


@jax.jit
def update(params, batch):
    grads = jax.grad(loss)(params, batch)
    return jax.tree.map(lambda p, g: p - 1e-3 * g, params, grads)


params = init_mlp(jax.random.key(0), [4, 16, 16, 1])
batch = (jnp.ones((32, 4)), jnp.ones((32, 1)))
for _ in range(3):
    params = update(params, batch)
