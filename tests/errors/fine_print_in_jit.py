import jax
import jax.numpy as jnp


@jax.jit
def f(x):
    print("tracing", x, f"{x.shape} {x}")
    jax.debug.print("running {x}", x=x)
    return x


f(jnp.ones(2))
