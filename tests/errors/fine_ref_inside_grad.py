import jax
import jax.numpy as jnp


def loss(w):
    acc = jax.new_ref(jnp.zeros(3))
    for i in range(3):
        acc[i] = w * i
    return acc[...].sum()


print(jax.grad(loss)(2.0), jax.vmap(loss)(jnp.arange(2.0)), jax.jit(jax.grad(loss))(1.0))
