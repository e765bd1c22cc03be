import jax
import jax.numpy as jnp

def batches(n):
    for i in range(n):
        yield jnp.full((2, 3), i)

it = batches(2)
def total(it, n):
    return sum(next(it).sum() for _ in range(n))

total(it, 3)
