import jax
import jax.numpy as jnp


def case(params, x):
    def loss(p):
        def layer(w):
            def scale(a):
                # fault: a @ jnp.ones(11)
                return a * x.sum()

            return jax.tree.map(scale, w)

        return sum(jax.tree.leaves(jax.tree.map(jnp.sum, layer(p))))

    grads = jax.grad(loss)(params)
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)


result = jax.jit(case)({"a": [jnp.ones(2), jnp.ones(3)], "b": (jnp.arange(2.0),)}, jnp.linspace(0.1, 0.5, 3))
