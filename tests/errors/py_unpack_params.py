import jax
import jax.numpy as jnp

params = [(jnp.ones((2, 2)), jnp.zeros(2), 1.0)]


@jax.jit
def forward(params, x):
    for w, b in params:
        x = x @ w + b
    return x


forward(params, jnp.ones(2))
