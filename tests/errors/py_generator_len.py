import jax
import jax.numpy as jnp

batches = (jnp.ones((4, 2)) * i for i in range(3))
print(f"training on {len(batches)} batches")
