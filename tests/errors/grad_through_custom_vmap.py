import jax
import jax.numpy as jnp
from jax.custom_batching import custom_vmap


@custom_vmap
def square(x):
    return x * x


@square.def_vmap
def rule(size, batched, x):
    return x * x, True


print(jax.vmap(square)(jnp.ones(3)))
print(jax.jvp(square, (2.0,), (1.0,)))
jax.grad(square)(3.0)
