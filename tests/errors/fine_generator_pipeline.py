import jax
import jax.numpy as jnp


def batches(data, size):
    for start in range(0, len(data) - size + 1, size):
        yield data[start:start + size]


step = jax.jit(lambda x: x.mean())
print([float(step(b)) for b in batches(jnp.arange(10.0), 4)])
