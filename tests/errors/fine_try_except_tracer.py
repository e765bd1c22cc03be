import jax
import jax.numpy as jnp


@jax.jit
def f(x):
    try:
        n = int(x)
    except jax.errors.ConcretizationTypeError:
        n = 3
    try:
        ok = bool(x > 0)
    except jax.errors.TracerBoolConversionError:
        ok = True
    return x * n if ok else x


f(2.0)
