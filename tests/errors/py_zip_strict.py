import jax.numpy as jnp

weights = [jnp.ones((2, 2)), jnp.ones((2, 2))]
biases = [jnp.zeros(2)]
x = jnp.ones(2)
for w, b in zip(weights, biases, strict=True):
    x = w @ x + b
