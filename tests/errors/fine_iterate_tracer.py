import jax
import jax.numpy as jnp


@jax.jit
def horner(coefficients, x):
    out = 0.0
    for c in coefficients:
        out = out * x + c
    return out


horner(jnp.array([1.0, 2.0, 3.0]), 2.0)
