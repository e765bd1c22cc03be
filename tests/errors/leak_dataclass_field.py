from dataclasses import dataclass

import jax
import jax.numpy as jnp


@dataclass
class Meter:
    value: float = 0.0


meter = Meter()


@jax.jit
def update(loss):
    meter.value = 0.9 * meter.value + 0.1 * loss
    return loss


update(2.0)
jnp.log(meter.value)
