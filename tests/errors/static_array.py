import jax
import jax.numpy as jnp

f = jax.jit(lambda x, w: x @ w, static_argnums=1)
f(jnp.ones(3), jnp.ones(3))
