import jax.numpy as jnp

def transform(x, norm="unitary"):
    return jnp.fft.fft2(x, norm=norm)

transform(jnp.ones((4, 4)), "ortho")
transform(jnp.ones((4, 4)))
