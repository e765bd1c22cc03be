import functools

import jax
import jax.numpy as jnp


@functools.partial(jax.jit, donate_argnums=0)
def update(params, grads):
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)


params = {"w": jnp.ones((2, 2)), "b": jnp.zeros(2)}
new = update(params, {"w": jnp.ones((2, 2)), "b": jnp.ones(2)})
print(new["w"], params["w"].shape)
print(params["b"])
