import jax
import jax.numpy as jnp

cache = {}


def kernel(x):
    if "gram" not in cache:
        cache["gram"] = x @ x.T
    return cache["gram"]


@jax.jit
def energy(x):
    return kernel(x).sum()


energy(jnp.ones((2, 2)))
print(kernel(jnp.ones((2, 2))) + 1)
