import jax
import jax.numpy as jnp

total = jax.lax.fori_loop(0, 10, lambda i, acc: acc + i / 2, jnp.zeros((), jnp.int32))
