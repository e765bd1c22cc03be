import jax
import jax.numpy as jnp

branches = [jnp.sin, jnp.cos]
print(jax.lax.switch(7, branches, 1.0), jax.jit(lambda i: jax.lax.switch(i, branches, 1.0))(-3))
