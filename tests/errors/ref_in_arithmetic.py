import jax
import jax.numpy as jnp

total = jax.new_ref(jnp.zeros(3))


def step(x):
    total[...] += x
    return total[...] * 2


step(jnp.ones(3))
print(total / 2)
