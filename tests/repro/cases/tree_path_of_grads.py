import jax
import jax.numpy as jnp


def case(params, rates):
    def outer(p):
        def update(path, leaf, grad):
            def inner(g):
                # fault: g @ jnp.ones(11)
                return g * (0.5 if "bias" in jax.tree_util.keystr(path) else rates[0])

            return leaf - inner(grad) * rates.sum()

        grads = jax.grad(lambda q: sum((leaf**2).sum() for leaf in jax.tree.leaves(q)))(p)
        return jax.tree_util.tree_map_with_path(update, p, grads)

    return jax.jit(outer)(params)


result = case({"w": jnp.ones((2, 3)), "bias": jnp.arange(3.0)}, jnp.linspace(0.1, 0.5, 2))
