import jax
import jax.numpy as jnp


@jax.jit
def scores(q, k):
    return jnp.einsum("bhqd,bhkd->bhqk", q, k)


scores(jnp.ones((2, 4, 5, 8)), jnp.ones((2, 4, 5, 16)))
