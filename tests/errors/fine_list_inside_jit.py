import jax
import jax.numpy as jnp


@jax.jit
def unrolled(x):
    states = []
    for _ in range(3):
        x = jnp.tanh(x)
        states.append(x)
    return jnp.stack(states)


unrolled(jnp.ones(2))
