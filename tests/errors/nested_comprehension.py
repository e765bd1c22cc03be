import jax
import jax.numpy as jnp

weights = [jnp.ones((3, 3)), jnp.ones((2, 3))]


@jax.jit
def ensemble(x):
    return jnp.stack([w @ x for w in weights])


ensemble(jnp.ones(3))
