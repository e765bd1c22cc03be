import jax
import jax.numpy as jnp


def not_done(errors):
    return errors > 1e-3


jax.lax.while_loop(not_done, lambda e: e / 2, jnp.ones(3))
