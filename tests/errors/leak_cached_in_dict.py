import jax
import jax.numpy as jnp

cache = {}
@jax.jit
def f(x):
    if "k" not in cache:
        cache["k"] = x * 2
    return cache["k"]
f(1.0)
f(jnp.ones(2))
