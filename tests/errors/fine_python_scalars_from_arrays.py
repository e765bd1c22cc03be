import jax
import jax.numpy as jnp

n = int(jnp.arange(5).sum())
x = jnp.zeros(n)
rate = float(jnp.float32(0.5))
names = ["a", "b", "c"]
name = names[jnp.argmax(jnp.array([0, 3, 1]))]
for i in range(jnp.int32(3)):
    x = x + i
if x.sum() > 3:
    x = x[:2]
