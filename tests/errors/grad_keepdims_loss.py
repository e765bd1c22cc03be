import jax
import jax.numpy as jnp


@jax.jit
def step(w, x):
    grad = jax.grad(lambda w: jnp.mean(x * w, keepdims=True))(w)
    return w - grad


step(jnp.ones(3), jnp.ones(3))
