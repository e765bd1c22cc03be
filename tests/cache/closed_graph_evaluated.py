"""A graph taken out runs without its function."""

import jax
import jax.numpy as jnp


@jax.jit
def f(x):  # traced: 1
    return jnp.sin(x) + 1


graph = jax.make_jaxpr(f)(1.0)
jax.core.eval_jaxpr(graph.jaxpr, graph.consts, 1.0)
jax.jit(lambda x: jax.core.eval_jaxpr(graph.jaxpr, graph.consts, x))(1.0)
f(1.0)
