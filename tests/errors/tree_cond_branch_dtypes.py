import jax
import jax.numpy as jnp


@jax.jit
def activation(x, train):
    return jax.lax.cond(train, lambda x: x * 0.5, lambda x: (x > 0).astype(jnp.int32), x)


activation(jnp.ones(3), True)
