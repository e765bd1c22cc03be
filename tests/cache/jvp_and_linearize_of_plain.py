"""Plain functions run at every call of jvp and linearize."""

import jax
import jax.numpy as jnp


def f(x):  # traced: 4
    return jnp.sin(x) * x


x = jnp.float32(1.0)
jax.jvp(f, (x,), (x,))
jax.jvp(f, (x,), (x,))
y, df = jax.linearize(f, x)
df(x)
df(x)
y, back = jax.vjp(f, x)
back(y)
