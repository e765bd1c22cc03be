import jax
import jax.numpy as jnp

with jax.debug_nans(True):
    y = jax.nn.softmax(jnp.array([1e3, 2.0]))
    z = jax.grad(lambda x: jnp.sqrt(x).sum())(jnp.ones(3))
    w = jnp.where(jnp.arange(3) > 1, 1.0, jnp.inf)
print(jnp.log(-jnp.ones(2)))
