import jax.numpy as jnp

a = jnp.ones((3, 1)) + jnp.ones((1, 4))
b = jnp.ones((2, 3, 1)) * jnp.arange(5)
c = jnp.ones((0, 3)) + jnp.ones((1, 3))
d = jnp.concatenate([jnp.zeros((0, 2)), jnp.ones((3, 2), jnp.int32)])
e = jnp.stack([jnp.ones(3), 2 * jnp.arange(3)])
f = jnp.ones((3, 4)) @ jnp.ones((7, 4, 2))
