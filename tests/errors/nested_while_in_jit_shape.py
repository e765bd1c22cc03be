import jax
import jax.numpy as jnp


@jax.jit
def power_iteration(a):
    def body(v):
        w = a @ v
        return w / jnp.linalg.norm(w)

    return jax.lax.while_loop(lambda v: v[0] > 0.5, body, jnp.ones(3))


power_iteration(jnp.ones((2, 3)))
