import jax
import jax.numpy as jnp


def body(i, acc):
    window = signal[i:i + 3]
    return acc + window.sum()


signal = jnp.arange(10.0)
jax.lax.fori_loop(0, 7, body, 0.0)
