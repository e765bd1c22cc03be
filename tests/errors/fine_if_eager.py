import jax.numpy as jnp

loss = jnp.float32(3.0)
best = jnp.inf
if loss < best:
    best = loss
while best > 1:
    best = best / 2
