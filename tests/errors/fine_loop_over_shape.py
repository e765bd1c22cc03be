import jax
import jax.numpy as jnp


@jax.jit
def cumulative(x):
    rows = [x[0]]
    for i in range(1, x.shape[0]):
        rows.append(rows[-1] + x[i])
    return jnp.stack(rows)


cumulative(jnp.ones((4, 2)))
