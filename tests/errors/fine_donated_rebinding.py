import jax
import jax.numpy as jnp

update = jax.jit(lambda state: state + 1, donate_argnums=0)
state = jnp.zeros(4)
for _ in range(3):
    state = update(state)
print(state)
