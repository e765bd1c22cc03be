import jax
import jax.numpy as jnp


@jax.jit
def total(x, y):
    return jnp.sum(
        jnp.concatenate(
            [x, y],
            axis=0,
        )
    )


total(
    jnp.ones((2, 3)),
    jnp.ones((2, 4)),
)
