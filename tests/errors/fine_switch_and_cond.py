import jax
import jax.numpy as jnp


@jax.jit
def f(i, x):
    y = jax.lax.switch(i, [jnp.sin, jnp.cos, lambda v: v * 2.0], x)
    return jax.lax.cond(i > 1, lambda: y, lambda: -y)


f(7, jnp.ones(3))
f(-2, jnp.ones(3))
