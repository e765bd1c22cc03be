import jax
import jax.numpy as jnp


@jax.jit
def root(x):
    error = jnp.inf
    while error > 1e-6:
        new = 0.5 * (x + 2.0 / x)
        error = jnp.abs(new - x)
        x = new
    return x


print(root(1.0))
