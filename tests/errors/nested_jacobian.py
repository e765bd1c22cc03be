import jax
import jax.numpy as jnp


def dynamics(x, u):
    return jnp.concatenate([x[1:], x[:1] + u])


a = jax.jacfwd(dynamics)(jnp.ones(3), jnp.ones(1))
b = jax.jacrev(dynamics, argnums=1)(jnp.ones(3), jnp.ones(1))
closed = a + b @ jnp.ones((2, 3))
