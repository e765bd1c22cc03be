import jax
import jax.numpy as jnp

def init(sizes):
    return [(jnp.ones((m, n)), jnp.zeros(n)) for m, n in zip(sizes[:-1], sizes[1:])]

def loss(params, x):
    for w, b in params:
        x = jnp.tanh(x @ w + b)
    return (x ** 2).mean()

def sgd(params, grads, lr):
    return jax.tree.map(lambda p, g: p - lr * g, params, grads)

params = init([3, 5, 1])
grads = jax.grad(loss)(params, jnp.ones((2, 3)))
sgd(params, grads[:-1], 0.1)
