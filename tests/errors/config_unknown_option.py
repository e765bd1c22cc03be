import jax

jax.config.update("jax_enable_x32", True)
