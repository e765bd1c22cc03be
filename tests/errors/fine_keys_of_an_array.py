import jax
import jax.numpy as jnp

jax.config.update("jax_debug_key_reuse", True)
keys = jax.random.split(jax.random.key(0), 3)
first, second, third = keys
a = jax.random.normal(first)
b = jax.random.normal(keys[1])
there = jax.device_put(second)
c = jax.random.normal(there)
d = jax.random.normal(second)
e = jax.random.normal(third[None][0])
f = jax.random.normal(third)
