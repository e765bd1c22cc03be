import jax.numpy as jnp

batches = iter([jnp.ones(2)])
first = next(batches)
second = next(batches)
