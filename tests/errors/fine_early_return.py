import jax
import jax.numpy as jnp


@jax.jit
def forward(params, x):
    if not params:
        return x
    return x @ params[0] @ jnp.ones((9, 9))


forward([], jnp.ones(3))
