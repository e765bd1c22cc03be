import jax.numpy as jnp

attention = jnp.ones((2, 4, 10, 10))
values = jnp.ones((3, 4, 10, 16))
mixed = jnp.einsum("...qk,...kd->...qd", attention, values)
