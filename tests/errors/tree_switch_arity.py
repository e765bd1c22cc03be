from jax import lax

lax.switch(0, [lambda x: x, lambda: 1], 1.0)
