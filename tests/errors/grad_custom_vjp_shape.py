import jax
import jax.numpy as jnp


@jax.custom_vjp
def total(x):
    return x.sum()


total.defvjp(lambda x: (x.sum(), None), lambda _, g: (g,))
jax.grad(total)(jnp.ones(3))
