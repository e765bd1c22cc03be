import jax
import numpy as np


def host_sin(x):
    return jax.pure_callback(np.sin, jax.ShapeDtypeStruct(x.shape, x.dtype), x)


print(jax.jit(host_sin)(1.0))
jax.grad(host_sin)(1.0)
