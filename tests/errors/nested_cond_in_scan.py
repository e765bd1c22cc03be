import jax
import jax.numpy as jnp


def step(x, flag):
    x = jax.lax.cond(flag, lambda v: v * 2, lambda v: v.astype(jnp.float16), x)
    return x, None


jax.lax.scan(step, jnp.float32(1), jnp.array([True, False]))
