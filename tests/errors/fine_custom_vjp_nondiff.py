import jax
import jax.numpy as jnp
from functools import partial


@partial(jax.custom_vjp, nondiff_argnums=(1,))
def clip_gradient(x, limit):
    return x


def forward(x, limit):
    return x, None


def backward(limit, _, g):
    return (jnp.clip(g, -limit, limit),)


clip_gradient.defvjp(forward, backward)
jax.grad(lambda x: (clip_gradient(x, 0.5) ** 2).sum())(jnp.arange(3.0))
