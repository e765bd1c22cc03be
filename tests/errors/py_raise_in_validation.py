import jax
import jax.numpy as jnp


def check_rank(x, rank):
    if x.ndim != rank:
        raise ValueError(f"expected rank {rank}, got shape {x.shape}")
    return x


@jax.jit
def matvec(a, x):
    return check_rank(a, 2) @ check_rank(x, 1)


matvec(jnp.eye(3), jnp.ones((3, 1)))
