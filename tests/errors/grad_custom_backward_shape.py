import jax, jax.numpy as jnp
@jax.custom_vjp
def total(x):
    return jnp.sum(x)
total.defvjp(lambda x: (total(x), x), lambda x, g: (g,))
print(jax.grad(total)(jnp.ones(4)))
