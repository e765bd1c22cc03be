import jax
import jax.numpy as jnp

double = jax.jit(lambda x: x * 2).lower(jnp.ones(3)).compile()
double(jnp.ones(3))
double(jnp.ones(4))
