import jax
import jax.numpy as jnp


@jax.custom_jvp
def f(x):
    return x**2


@f.defjvp
def f_jvp(primals, tangents):
    (x,), (t,) = primals, tangents
    return 2 * x * t


jax.jvp(f, (1.0,), (1.0,))
