import jax
import jax.numpy as jnp
import numpy as np

def host(x):
    return np.sin(x).astype(np.float32)

@jax.jit
def f(x):
    return jax.pure_callback(host, jax.ShapeDtypeStruct(x.shape, x.dtype), x) + 1

print(f(jnp.ones(3)))
print(jax.vmap(f)(jnp.ones((2, 3))))
