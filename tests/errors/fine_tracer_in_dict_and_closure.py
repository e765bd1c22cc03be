import jax
import jax.numpy as jnp


@jax.jit
def f(x):
    cache = {}
    cache["x"] = x
    history = []
    for i in range(3):
        history.append(cache["x"] * i)
        cache["x"] = cache["x"] + 1
    return jnp.stack(history), cache


f(1.0)
