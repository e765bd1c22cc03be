import jax
import jax.numpy as jnp


def case(x, w):
    def loss(v):
        with jax.named_scope("scope"):
            y = v * 2.0

        def layer(a):
            with jax.named_scope("inner"):
                # fault: a @ jnp.ones(11)
                return jnp.tanh(a * w) + y

        return jax.named_call(layer, name="layer")(y).sum()

    return jax.grad(loss)(x)


result = jax.jit(case)(jnp.linspace(1.0, 2.0, 3), jnp.linspace(0.0, 1.0, 3))
