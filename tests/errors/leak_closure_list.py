import jax
import jax.numpy as jnp


def make_model():
    stats = [None]

    @jax.jit
    def forward(x):
        stats[0] = jnp.abs(x).max()
        return x * 2

    return forward, stats


forward, stats = make_model()
forward(jnp.ones(3))
print(stats[0] > 1)
