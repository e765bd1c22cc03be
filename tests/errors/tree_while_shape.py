import jax
import jax.numpy as jnp

jax.lax.while_loop(lambda x: x.sum() < 10, lambda x: x[:, None] + x, jnp.ones(2))
