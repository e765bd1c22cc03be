from jax import lax

lax.sin(1)
