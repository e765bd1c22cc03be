import jax
import jax.numpy as jnp

w = jnp.ones(3)
jax.grad(w)(1.0)
