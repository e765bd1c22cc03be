import jax
import jax.numpy as jnp
import optax

def loss(logits, labels):
    return optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()

loss(jnp.ones((4, 3)), jnp.zeros(4, int))
loss(jnp.ones((4, 3)), jnp.zeros(4))
