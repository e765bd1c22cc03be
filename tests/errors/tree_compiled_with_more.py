import jax
import jax.numpy as jnp

@jax.jit
def f(x, y):
    return x @ y

compiled = f.lower(jax.ShapeDtypeStruct((2, 3), jnp.float32), jax.ShapeDtypeStruct((3,), jnp.float32)).compile()
compiled(jnp.ones((2, 3)), jnp.ones(3))
compiled(jnp.ones((2, 3)), jnp.ones(3), 1)
