from jax import lax

lax.iota(bool, 4)
