import jax
import jax.numpy as jnp

kept = []


@jax.checkpoint
def layer(x):
    y = jnp.sin(x)
    kept.append(y)
    return y * x


jax.grad(lambda x: layer(x))(1.0)
print(kept[0] + 1)
