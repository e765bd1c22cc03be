import jax
import jax.numpy as jnp
from functools import partial

@partial(jax.custom_vjp, nondiff_argnums=(0,))
def scale(s, x):
    return s * x

def fwd(s, x):
    return s * x, x

def bwd(s, x, g):
    return g * s

scale.defvjp(fwd, bwd)
jax.grad(lambda x: scale(2.0, x).sum())(jnp.ones(2))
