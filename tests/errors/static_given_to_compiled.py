import jax, jax.numpy as jnp
f = jax.jit(lambda x, n: x * n, static_argnums=1)
c = f.lower(jnp.ones(3), 2).compile()
print(c(jnp.ones(3)))
c(jnp.ones(3), 2)
