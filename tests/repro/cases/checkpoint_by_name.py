import jax
import jax.numpy as jnp


def case(x, mask):
    scale = x.sum()

    def attend(query, mask=None):
        # fault: query @ query
        scores = query @ query.T * scale
        return jax.nn.softmax(jnp.where(mask, scores, -1e30)) @ query

    pair = mask[:, None] & mask[None, :]
    once = jax.checkpoint(attend)(x, mask=pair)
    rows = jax.vmap(lambda row: jax.checkpoint(attend)(row[None] + once, mask=mask[:, None]))(x)
    return jax.jit(attend)(rows.sum(0), mask=~pair)


result = jax.jit(case)(jnp.linspace(0.1, 0.5, 12).reshape(4, 3), jnp.array([True, True, False, True]))
