import jax
import jax.numpy as jnp


@jax.custom_vjp
def straight_through(x):
    return jnp.round(x)


straight_through.defvjp(lambda x: (jnp.round(x), None), lambda _, g: g)


def step(c, x):
    c = straight_through(c * x)
    return c, c


def loss(c):
    return jax.lax.scan(step, c, jnp.ones(4))[0]


jax.grad(loss)(1.5)
