import jax.numpy as jnp
import jax


def norm(x: jnp.DeviceArray) -> float:
    return jnp.sqrt((x**2).sum())
