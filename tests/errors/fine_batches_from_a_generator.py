import jax
import jax.numpy as jnp


def blocks(x, size):
    for start in range(0, x.shape[0], size):
        yield x[start:start + size] * 2


@jax.jit
def total(x):
    return sum(block.sum() for block in blocks(x, 4))


print(total(jnp.arange(12.0)), total(jnp.arange(10.0)))
print([block.shape for block in blocks(jnp.ones((6, 2)), 4)])
