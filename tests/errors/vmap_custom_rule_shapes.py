import jax
import jax.numpy as jnp
from jax.custom_batching import custom_vmap


@custom_vmap
def dot(x, y):
    return x @ y


@dot.def_vmap
def rule(size, batched, x, y):
    return jnp.einsum("bi,bi->b", x, y), True


print(dot(jnp.ones(3), jnp.ones(3)), jax.vmap(dot)(jnp.ones((2, 3)), jnp.ones((2, 3))))
jax.vmap(dot, in_axes=(0, None))(jnp.ones((2, 3)), jnp.ones(3))
