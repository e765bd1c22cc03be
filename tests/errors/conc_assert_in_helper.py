import jax
import jax.numpy as jnp


def check_probabilities(p):
    assert jnp.allclose(p.sum(-1), 1.0), "not normalized"


def entropy(p):
    check_probabilities(p)
    return -(p * jnp.log(p)).sum(-1)


p = jax.nn.softmax(jnp.arange(4.0))
entropy(p)
jax.vmap(entropy)(p[None])
