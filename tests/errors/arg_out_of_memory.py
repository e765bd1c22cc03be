import jax
import jax.numpy as jnp

shape = jax.eval_shape(lambda: jnp.ones((1 << 20, 1 << 20)))
print(shape.size)
table = jnp.ones((1 << 20, 1 << 20))
