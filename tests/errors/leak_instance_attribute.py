import jax
import jax.numpy as jnp

class M:
    pass
m = M()
@jax.jit
def f(x):
    m.y = x
    return x
f(1.0)
jnp.sin(m.y)
