import jax
import jax.numpy as jnp


def loss(w):
    penalty = jnp.abs(w).sum().item()
    return (w ** 2).sum() + penalty


print(jax.grad(loss)(jnp.ones(3)))
print(jax.jit(jax.grad(loss))(jnp.ones(3)))
