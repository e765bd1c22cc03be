import jax
import jax.numpy as jnp

kept = []


@jax.jit
def f(x):
    kept.append(x)
    return x * 2


f(jnp.ones(2))
print(len(kept), kept[0].shape, kept[0].dtype, type(kept[0]).__name__)
