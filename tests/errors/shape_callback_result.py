import jax, jax.numpy as jnp, numpy as np
def host(x):
    return np.sum(x)
@jax.jit
def f(x):
    return jax.pure_callback(host, x, x)
print(f(jnp.ones(3)))
