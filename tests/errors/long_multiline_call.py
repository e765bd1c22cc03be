import jax
import jax.numpy as jnp


def attention(q, k, v):
    return jnp.einsum(
        "bqk,bkd->bqd",
        jax.nn.softmax(
            jnp.einsum(
                "bqd,bkd->bqk",
                q,
                k,
            ),
        ),
        v,
    )


attention(
    jnp.ones((2, 3, 8)),
    jnp.ones((2, 5, 8)),
    jnp.ones((2, 6, 8)),
)
