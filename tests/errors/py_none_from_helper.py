import jax
import jax.numpy as jnp


def make_optimizer(name):
    if name == "sgd":
        return lambda p, g: p - 0.1 * g
    if name == "momentum":
        return lambda p, g: p - 0.2 * g


update = make_optimizer("adam")
w = jnp.ones(3)
w = update(w, jax.grad(lambda w: w.sum())(w))
