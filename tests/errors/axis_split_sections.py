import jax
import jax.numpy as jnp


@jax.jit
def gates(x, w):
    i, f, g, o = jnp.split(x @ w, 4, axis=-1)
    return jax.nn.sigmoid(i) * jnp.tanh(g)


gates(jnp.ones((2, 3)), jnp.ones((3, 16)))
gates(jnp.ones((2, 3)), jnp.ones((3, 18)))
