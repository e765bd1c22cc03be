import jax
import jax.numpy as jnp

def f(x):
    return x / jax.lax.psum(x, "i")

print(jax.pmap(f, axis_name="i")(jnp.ones((1, 3))))
print(jax.pmap(f, axis_name="j")(jnp.ones((1, 3))))
