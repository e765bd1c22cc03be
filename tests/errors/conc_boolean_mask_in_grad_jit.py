import jax
import jax.numpy as jnp


@jax.jit
def loss(w, x, keep):
    kept = x[keep]
    return ((kept - w) ** 2).mean()


keep = jnp.array([True, False, True])
jax.grad(loss)(0.5, jnp.arange(3.0), keep)
