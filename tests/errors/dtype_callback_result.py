import jax, jax.numpy as jnp, numpy as np
def host(x):
    return np.zeros(3, np.int32)
@jax.jit
def f(x):
    return jax.pure_callback(host, jax.ShapeDtypeStruct((3,), jnp.float32), x)
y = f(1.0)
print(y)
