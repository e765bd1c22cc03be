import jax
import jax.numpy as jnp

jax.vmap(lambda d: d["a"] + d["b"])({"a": jnp.ones(3), "b": jnp.ones(4)})
