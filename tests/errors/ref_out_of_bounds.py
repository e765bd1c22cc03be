import jax
import jax.numpy as jnp

slots = jax.new_ref(jnp.zeros(4))
for i in range(6):
    slots[i] = float(i)
