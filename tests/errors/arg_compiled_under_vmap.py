import jax
import jax.numpy as jnp

c = jax.jit(lambda x: x).lower(jnp.ones(3)).compile()
jax.vmap(c)(jnp.ones((2, 3)))
