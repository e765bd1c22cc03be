import jax.numpy as jnp
from jax.experimental import checkify


def safe_log(x):
    checkify.check(jnp.all(x > 0), "needs positive numbers")
    return jnp.log(x)


print(safe_log(jnp.ones(3)))
print(safe_log(-jnp.ones(3)))
