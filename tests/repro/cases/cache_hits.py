import jax
import jax.numpy as jnp


@jax.jit
def layer(x, w):
    return jnp.tanh(x @ w)


def case(x, ws):
    def block(h, w):
        h = layer(h, w)
        return layer(h, w) + jax.vmap(lambda r: layer(r, w) * ws[0, 0, 0])(h * 2.0)

    for i in range(3):
        x = block(x, ws[i])
    # fault: x @ jnp.ones((11, 2))
    return jax.vmap(lambda r: layer(r, ws[0]))(x)


result = case(jnp.linspace(0.1, 0.5, 6).reshape(2, 3), jnp.linspace(-1.0, 1.0, 27).reshape(3, 3, 3))
