import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu


def case(x):
    def outer(v):
        def kernel(x_ref, o_ref):
            def scoped(tmp_ref):
                # fault: x_ref[...] @ jnp.ones((11, 2))
                tmp_ref[...] = x_ref[...] * 2.0

                @pl.loop(0, 2)
                def _(i):
                    o_ref[i] = tmp_ref[i] + 1.0

            pl.run_scoped(scoped, pltpu.VMEM((2,), jnp.float32))

        return pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct((2,), jnp.float32), interpret=True)(v)

    return jax.jit(outer)(x)


result = case(jnp.linspace(0.1, 0.5, 2))
