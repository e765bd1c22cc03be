from dataclasses import dataclass
import jax
import jax.numpy as jnp


@dataclass
class Params:
    w: jax.Array
    b: jax.Array


@jax.jit
def apply(params, x):
    return x @ params.w + params.b


apply(Params(jnp.ones((3, 2)), jnp.zeros(2)), jnp.ones(3))
