"""Keys differ by their implementation."""

import jax


@jax.jit
def draw(key):  # traced: 2
    return jax.random.uniform(key)


draw(jax.random.key(0))
draw(jax.random.key(0, impl="rbg"))
draw(jax.random.key(1, impl="threefry2x32"))
