import jax
import jax.numpy as jnp


def dense(params, x):
    return x @ params["w"] + params["b"]


def model(params, x):
    for layer in params:
        x = jax.nn.relu(dense(layer, x))
    return x


params = [{"w": jnp.ones((4, 8)), "b": jnp.zeros(8)}, {"w": jnp.ones((4, 2)), "b": jnp.zeros(2)}]
jax.jit(model)(params, jnp.ones((1, 4)))
