import jax
import jax.numpy as jnp

saved = {}


def loss(w):
    hidden = jnp.tanh(w)
    saved["hidden"] = hidden
    return hidden.sum()


grads = jax.grad(loss)(jnp.ones(3))
print(saved["hidden"].shape)
print(jax.jit(lambda x: x + saved["hidden"])(jnp.ones(3)))
