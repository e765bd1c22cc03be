import jax
import jax.numpy as jnp

i = jnp.arange(3)
f = i / 2
g = i ** 2
h = i // 2 + 0.5
k = (i > 1) * 2.0
m = i.at[0].set(2.7)
s = jnp.sqrt(i)
mean = i.mean()
