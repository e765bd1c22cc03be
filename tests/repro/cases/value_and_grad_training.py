import jax
import jax.numpy as jnp
from jax import lax


def case(w, xs, ys):
    def step(w, batch):
        x, y = batch

        def loss(w):
            def one(a):
                # fault: a @ jnp.ones(11)
                return jnp.dot(w, a)

            return jnp.mean((jax.vmap(one)(x) - y) ** 2)

        value, grad = jax.value_and_grad(loss)(w)
        return w - 0.1 * grad, value

    return lax.scan(step, w, (xs, ys))


result = jax.jit(case)(jnp.zeros(3), jnp.linspace(-1.0, 1.0, 24).reshape(2, 4, 3), jnp.ones((2, 4)))
