import jax
import jax.numpy as jnp


@jax.custom_vjp
def norm(x):
    return jnp.sqrt(jnp.sum(x ** 2))


def backward(x, g):
    return (g * x @ jnp.ones((2, 2)),)


norm.defvjp(lambda x: (norm(x), x), backward)
jax.jit(jax.grad(norm))(jnp.ones(3))
