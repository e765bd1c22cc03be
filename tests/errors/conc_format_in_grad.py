import jax
import jax.numpy as jnp


def loss(w):
    value = jnp.sum(w ** 2)
    print(f"loss {value:.3f}")
    return value


jax.value_and_grad(loss)(jnp.ones(2))
