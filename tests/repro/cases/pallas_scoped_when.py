import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu


def case(x):
    def outer(v):
        def kernel(x_ref, o_ref):
            def scoped(a_ref, b_ref):
                # fault: x_ref[...] @ jnp.ones((11, 2))
                a_ref[...] = x_ref[...] + 1.0
                b_ref[...] = a_ref[...] * 2.0

                @pl.loop(0, 3)
                def _(i):
                    @pl.when(i < 2)
                    def _():
                        o_ref[i] = b_ref[i] - a_ref[i]

                    @pl.when(i == 2)
                    def _():
                        o_ref[i] = 0.0

            pl.run_scoped(scoped, pltpu.VMEM((3,), jnp.float32), pltpu.VMEM((3,), jnp.float32))

        return pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct((3,), jnp.float32), interpret=True)(v)

    return jax.vmap(outer)(x)


result = case(jnp.linspace(0.1, 0.5, 6).reshape(2, 3))
