import jax
import jax.numpy as jnp


def softplus(x):
    return jnp.logaddexp(x, 0.0)


slope = jax.grad(softplus)(1.0)
slopes = jax.jit(jax.vmap(jax.grad(softplus)))(jnp.arange(3.0))
params = (jnp.zeros(()), jnp.ones(2))
grads = jax.grad(lambda p: sum(jnp.sum(softplus(x)) for x in jax.tree.leaves(p)))(params)
half = jax.grad(lambda x: jnp.logaddexp2(1, x))(2.0)
