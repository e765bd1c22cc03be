import jax
import jax.numpy as jnp


def relu(x):
    return x.at[x < 0].set(0.0)


relu(jnp.array([-1.0, 2.0]))
jax.grad(lambda x: relu(x).sum())(jnp.array([-1.0, 2.0]))
