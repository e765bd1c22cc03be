import jax
import jax.numpy as jnp
import numpy as np

total = jax.jit(lambda x: x.sum(), donate_argnums=0)
x = jnp.ones(4)
total(x)
print(x, x + 1)
host = np.ones(3)
add = jax.jit(lambda x: x + 1, donate_argnums=0)
add(host)
print(host, add(1.0))
x.delete()
print(x.shape, x.dtype, x.is_deleted())
