import jax
import jax.numpy as jnp


def model(x):
    return x @ jnp.ones((3, 2))


print(jax.eval_shape(model, jax.ShapeDtypeStruct((5, 3), jnp.float32)))
jax.eval_shape(model, jax.ShapeDtypeStruct((5, 4), jnp.float32))
