import jax
import jax.numpy as jnp

out, pull = jax.vjp(lambda x: {"a": x.sum(), "b": x * 2}, jnp.ones(3))
(g,) = pull({"a": 1.0, "b": jnp.ones(3)})
y, t = jax.jvp(lambda x, n: x * n, (jnp.ones(2), 3.0), (jnp.ones(2), 0.0))
