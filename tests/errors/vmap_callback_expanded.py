import jax, jax.numpy as jnp, numpy as np
def host(x):
    assert x.ndim == 0
    return np.float32(x * 2)
f = lambda x: jax.pure_callback(host, jax.ShapeDtypeStruct((), jnp.float32), x, vmap_method="sequential")
print(jax.vmap(f)(jnp.arange(3.0)))
g = lambda x: jax.pure_callback(host, jax.ShapeDtypeStruct((), jnp.float32), x, vmap_method="expand_dims")
print(jax.vmap(g)(jnp.arange(3.0)))
