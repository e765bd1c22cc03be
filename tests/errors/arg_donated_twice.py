import jax
import jax.numpy as jnp

step = jax.jit(lambda state: state + 1, donate_argnums=(0,))
state = jnp.zeros(4)
for _ in range(3):
    out = step(state)
