import jax
import jax.numpy as jnp


def step(carry, x):
    carry = carry + x


jax.lax.scan(step, 0.0, jnp.arange(4.0))
