import jax
import jax.numpy as jnp

s = jax.lax.associative_scan(jnp.add, jnp.arange(8))
m = jax.lax.map(lambda t: t[0] * t[1], (jnp.arange(3.0), jnp.ones((3, 2))))
b = jax.lax.map(jnp.sin, jnp.arange(10.0), batch_size=4)
