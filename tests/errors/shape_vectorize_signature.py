import jax.numpy as jnp

jnp.vectorize(lambda a, b: a @ b, signature="(n),(n)->()")(jnp.ones(3), jnp.ones(4))
