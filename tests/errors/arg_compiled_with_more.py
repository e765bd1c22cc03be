import jax
import jax.numpy as jnp

c = jax.jit(lambda x: x).lower(jnp.ones(3)).compile()
c(jnp.ones(3), jnp.ones(3))
