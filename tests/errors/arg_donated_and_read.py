import jax
import jax.numpy as jnp

add = jax.jit(lambda a, b: a + b, donate_argnums=(0,))
x = jnp.ones(4)
y = jnp.ones(4)
print(add(x, y))
print(add(y, y))
