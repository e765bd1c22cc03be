import jax
import jax.numpy as jnp


@jax.jit
def sgd(params, grads):
    return jax.tree.map(lambda p, g: p - 0.01 * g, params, grads)


sgd({"w": jnp.ones((2, 3))}, {"w": jnp.ones((3, 2))})
