import jax
import jax.numpy as jnp
from jax import export


def case(x):
    def outer(v):
        @jax.jit
        def f(a):
            def inner(b):
                # fault: b @ jnp.ones(11)
                return jnp.sin(b) * 2.0 + a.sum()

            return jax.vmap(inner)(a)

        exported = export.export(f)(jax.ShapeDtypeStruct((3,), jnp.float32))
        return exported.call(v) + v

    return jax.jit(outer)(x)


result = case(jnp.linspace(0.1, 0.5, 3))
