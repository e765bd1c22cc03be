"""Keys of the new kind and of the old are different types."""

import jax


@jax.jit
def draw(key):  # traced: 2
    return jax.random.normal(key, (2,))


for seed in range(3):
    draw(jax.random.key(seed))
for seed in range(3):
    draw(jax.random.PRNGKey(seed))
