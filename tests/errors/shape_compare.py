import jax
import jax.numpy as jnp


@jax.jit
def hits(prediction, target):
    return (prediction.argmax(-1) == target).sum()


hits(jnp.ones((8, 10)), jnp.zeros(8, jnp.int32))
hits(jnp.ones((8, 10)), jnp.zeros((8, 10)).argmax(0))
