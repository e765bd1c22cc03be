import jax
import jax.numpy as jnp

def energy(x):
    return jnp.sum(x ** 4)

def newton(x):
    h = jax.hessian(energy)(x)
    return x - jnp.linalg.solve(h, jax.grad(energy)(x))

newton(jnp.ones(3))
newton(jnp.ones((2, 3)))
