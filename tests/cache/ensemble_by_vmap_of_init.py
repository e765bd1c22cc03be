"""Models made under vmap and called by a compiled step."""

import jax
import jax.numpy as jnp


def init(key):  # traced: 2
    return {"w": jax.random.normal(key, (2,))}


@jax.jit
def predict(params, x):  # traced: 1
    return params["w"] @ x


params = jax.vmap(init)(jax.random.split(jax.random.key(0), 3))
for _ in range(2):
    jax.vmap(predict, in_axes=(0, None))(params, jnp.ones(2))
predict(jax.tree.map(lambda p: p[0], params), jnp.ones(2))
jax.vmap(init)(jax.random.split(jax.random.key(1), 3))
