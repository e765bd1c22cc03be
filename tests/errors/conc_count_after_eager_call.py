import jax
import jax.numpy as jnp

def compact(x, keep):
    n = int(keep.sum())
    order = jnp.argsort(~keep)
    return x[order][:n]

compact(jnp.arange(5), jnp.arange(5) > 2)
jax.jit(compact)(jnp.arange(5), jnp.arange(5) > 2)
