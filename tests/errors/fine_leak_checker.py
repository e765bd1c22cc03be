import jax
import jax.numpy as jnp

shapes = []


@jax.jit
def f(x):
    shapes.append(x.shape)
    return jnp.sin(x)


with jax.checking_leaks():
    f(1.0)
    jax.vmap(f)(jnp.ones(3))
    jax.grad(f)(1.0)
