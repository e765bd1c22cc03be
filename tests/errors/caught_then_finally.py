import jax.numpy as jnp

done = []
try:
    x = jnp.ones((2, 3)) @ jnp.ones((2, 3))
finally:
    done.append(True)
