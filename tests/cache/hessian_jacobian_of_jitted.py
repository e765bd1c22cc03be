"""Second derivatives of a compiled function."""

import jax
import jax.numpy as jnp


@jax.jit
def f(x):  # traced: 1
    return jnp.sum(x ** 3)


x = jnp.ones(3)
jax.hessian(f)(x)
jax.jacfwd(f)(x)
jax.jacrev(f)(x)
jax.hessian(f)(x)
