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

    def by_row(row):
        def inner(weight):
            return jax.checkpoint(attend)(row[None] * weight + once, mask=mask[:, None])

        return jax.vmap(inner)(x[0]).sum(0)

    rows = jax.vmap(by_row)(x)
    return jax.jit(attend)(rows.sum(0), mask=~pair)


result = jax.jit(case)(jnp.linspace(0.1, 0.5, 12).reshape(4, 3), jnp.array([True, True, False, True]))
