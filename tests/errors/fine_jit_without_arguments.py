import jax
import jax.numpy as jnp

constant = jax.jit(lambda: jnp.arange(3) * 2)
print(constant(), jax.jit(lambda *xs, **kw: sum(xs) + kw["y"])(1, 2, y=3))
