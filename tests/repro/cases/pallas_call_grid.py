import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl


def case(x, y):
    def outer(v):
        def kernel(x_ref, y_ref, o_ref):
            def inner(a):
                # fault: a @ jnp.ones((11, 2))
                return jnp.sin(a)

            o_ref[...] = inner(x_ref[...]) + y_ref[...] * 2.0

        spec = pl.BlockSpec((2, 4), lambda i: (i, 0))
        return pl.pallas_call(
            kernel,
            out_shape=jax.ShapeDtypeStruct((4, 4), jnp.float32),
            grid=(2,),
            in_specs=[spec, spec],
            out_specs=spec,
            interpret=True,
        )(v, y)

    return jax.jit(outer)(x)


result = case(jnp.linspace(0.1, 0.5, 16).reshape(4, 4), jnp.ones((4, 4)))
