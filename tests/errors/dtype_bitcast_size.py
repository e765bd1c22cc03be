import jax
import jax.numpy as jnp

x = jnp.ones(3, jnp.bfloat16)
jax.lax.bitcast_convert_type(x, jnp.uint32)
