import jax
import jax.numpy as jnp

kept = []


@jax.jit
def step(x):
    kept.append(jax.new_ref(x))
    return kept[-1][...] + 1


step(jnp.ones(2))
print(kept[0][...])
