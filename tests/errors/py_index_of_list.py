import jax
import jax.numpy as jnp

layers = [jnp.ones(3)] * 2


def forward(x):
    for i in range(3):
        x = x * layers[i]
    return x


jax.grad(lambda x: forward(x).sum())(jnp.ones(3))
