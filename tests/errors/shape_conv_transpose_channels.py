import jax
import jax.numpy as jnp
from jax import lax

@jax.jit
def decode(z, k):
    return lax.conv_transpose(z, k, (2, 2), "SAME")

decode(jnp.ones((2, 4, 4, 8)), jnp.ones((3, 3, 16, 8)))
