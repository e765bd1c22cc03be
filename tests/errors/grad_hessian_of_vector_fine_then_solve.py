import jax
import jax.numpy as jnp


def energy(x):
    return (x[1:] * x[:-1]).sum()


x = jnp.ones(4)
h = jax.hessian(energy)(x)
g = jax.grad(energy)(x)
step = jnp.linalg.solve(h, g[:3])
