import jax
import jax.numpy as jnp

normalize = jax.vmap(lambda x: x / jax.lax.psum(x, "i"), axis_name="i")
normalize(jnp.arange(1.0, 4.0))
