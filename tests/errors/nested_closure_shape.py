import jax
import jax.numpy as jnp


def make_model(features):
    w = jnp.ones((features, 3))

    def apply(x):
        def project(y):
            return y @ w

        return jax.vmap(project)(x)

    return apply


model = make_model(5)
jax.eval_shape(model, jax.ShapeDtypeStruct((8, 4), jnp.float32))
