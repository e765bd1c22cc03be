import jax
import jax.numpy as jnp

jax.lax.while_loop(lambda x: x < 10, lambda x: x * 2, jnp.ones(3))
