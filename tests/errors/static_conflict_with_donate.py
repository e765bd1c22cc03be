import jax
import jax.numpy as jnp

f = jax.jit(lambda x, n: x * n, static_argnums=1, donate_argnums=1)
f(jnp.ones(2), 3)
