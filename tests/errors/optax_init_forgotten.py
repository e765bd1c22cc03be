import jax
import jax.numpy as jnp
import optax

params = {"w": jnp.ones((3, 2)), "b": jnp.zeros(2)}
optimizer = optax.adam(1e-3)


def loss(params, x):
    return ((x @ params["w"] + params["b"]) ** 2).mean()


@jax.jit
def step(params, state, x):
    grads = jax.grad(loss)(params, x)
    updates, state = optimizer.update(grads, state)
    return optax.apply_updates(params, updates), state


step(params, optimizer, jnp.ones((5, 3)))
