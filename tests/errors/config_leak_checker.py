import jax
import jax.numpy as jnp

seen = []


@jax.jit
def f(x):
    seen.append(x)
    return x


with jax.checking_leaks():
    f(jnp.ones(2))
