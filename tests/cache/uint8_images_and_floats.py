"""Images come as bytes or as floats."""

import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def normalize(image):  # traced: 2
    return image / 255


raw = np.zeros((4, 4, 3), np.uint8)
normalize(raw)
normalize(raw.astype(np.float32))
normalize(raw.astype(float))
normalize(jnp.asarray(raw))
