import jax
import jax.numpy as jnp


def smooth(signal, width):
    out = jnp.zeros_like(signal)
    for i in range(width, len(signal) - width):
        out[i] = signal[i - width : i + width + 1].mean()
    return out


smooth(jnp.arange(10.0), 1)
