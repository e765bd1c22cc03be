import jax.numpy as jnp

xs = jnp.linspace(0, 1, 11)
ys = jnp.sin(xs[:-1])
value = jnp.interp(0.3, xs, ys)
