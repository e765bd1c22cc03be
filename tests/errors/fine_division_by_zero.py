import jax
import jax.numpy as jnp

print(1 / jnp.zeros(2), jax.jit(lambda x: x / 0)(3.0), jnp.log(-1.0))
