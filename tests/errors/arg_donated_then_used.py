import jax
import jax.numpy as jnp

update = jax.jit(lambda state: state + 1, donate_argnums=0)
state = jnp.zeros(4)
new = update(state)
print(state + new)
