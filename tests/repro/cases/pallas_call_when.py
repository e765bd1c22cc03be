import jax
import jax.numpy as jnp
from jax import lax
from jax.experimental import pallas as pl


def case(x):
    def outer(v):
        def kernel(x_ref, o_ref):
            i = pl.program_id(0)

            @pl.when(i == 0)
            def _():
                o_ref[...] = jnp.zeros_like(o_ref)

            def body(j, _):
                # fault: x_ref[...] @ jnp.ones((11, 2))
                o_ref[...] += x_ref[...] * (j + 1)
                return None

            lax.fori_loop(0, 2, body, None)

        return pl.pallas_call(
            kernel,
            out_shape=jax.ShapeDtypeStruct((4,), jnp.float32),
            grid=(2,),
            in_specs=[pl.BlockSpec((4,), lambda i: (i,))],
            out_specs=pl.BlockSpec((4,), lambda i: (0,)),
            interpret=True,
        )(v)

    return jax.vmap(outer)(x)


result = case(jnp.linspace(0.1, 0.5, 16).reshape(2, 8))
