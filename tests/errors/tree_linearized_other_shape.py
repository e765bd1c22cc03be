import jax
import jax.numpy as jnp

def f(p):
    return jnp.sin(p["a"]) @ p["b"]

p = {"a": jnp.ones((2, 3)), "b": jnp.ones(3)}
y, lin = jax.linearize(f, p)
lin(p)
lin({"a": jnp.ones((2, 3)), "b": jnp.ones(4)})
