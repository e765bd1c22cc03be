import jax
import jax.numpy as jnp

f = jax.vmap(lambda x: jax.lax.cond(x > 0, jnp.sqrt, jnp.square, x))
f(jnp.array([-1.0, 4.0]))
