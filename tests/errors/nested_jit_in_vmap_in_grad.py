import jax
import jax.numpy as jnp


@jax.jit
def layer(w, x):
    return jnp.tanh(w @ x)


def model(ws, x):
    for w in ws:
        x = layer(w, x)
    return x.sum()


def loss(ws, xs):
    return jax.vmap(model, in_axes=(None, 0))(ws, xs).mean()


ws = [jnp.ones((4, 3)), jnp.ones((4, 4)), jnp.ones((2, 3))]
jax.jit(jax.value_and_grad(loss))(ws, jnp.ones((8, 3)))
