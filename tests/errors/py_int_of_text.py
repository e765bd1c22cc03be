import jax.numpy as jnp

options = {"width": "wide"}
x = jnp.ones(int(options["width"]))
