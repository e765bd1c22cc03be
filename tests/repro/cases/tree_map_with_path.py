import jax
import jax.numpy as jnp


def case(params, x):
    def outer(p):
        def named(path, leaf):
            # fault: leaf @ jnp.ones(11)
            return leaf * len(path) + x.sum()

        return jax.tree_util.tree_map_with_path(named, p)

    def both(p, k):
        return jax.tree.map(
            lambda a, b: a + b * k, outer(p), p, is_leaf=lambda v: isinstance(v, tuple) and not v
        )

    return jax.vmap(both, in_axes=(None, 0))(params, x)


result = jax.jit(case)({"a": [jnp.ones(2), jnp.ones(3)], "b": jnp.arange(2.0)}, jnp.linspace(0.1, 0.5, 3))
