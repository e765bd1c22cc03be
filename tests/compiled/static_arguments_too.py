import jax
import jax.numpy as jnp
import numpy as np

device = jax.devices()[0]


from functools import partial


@partial(jax.jit, static_argnames='n')
def power(x, n):
    return x ** n


a = jnp.ones(3)
put = jax.device_put(a, device)
for n in (2, 3):
    power(a, n=n)
    power(put, n=n)
    power(put, n=n)
