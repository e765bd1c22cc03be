"""Typed keys and raw ones, whole and split."""

import jax


@jax.jit
def draw(key):  # traced: 2
    return jax.random.uniform(key, (2,))


typed, raw = jax.random.key(0), jax.random.PRNGKey(0)
draw(typed)
draw(raw)
draw(jax.random.split(typed)[0])
draw(jax.random.split(raw)[1])
draw(jax.random.fold_in(typed, 3))
draw(jax.random.wrap_key_data(raw))
