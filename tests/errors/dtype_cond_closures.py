import jax
import jax.numpy as jnp

@jax.jit
def clip(g, limit):
    n = jnp.sqrt(jnp.sum(g ** 2))
    return jax.lax.cond(n > limit, lambda: g * (limit / n), lambda: g.astype(jnp.bfloat16))

clip(jnp.ones(4), 1.0)
