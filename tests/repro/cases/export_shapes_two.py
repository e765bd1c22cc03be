import jax
import jax.numpy as jnp
from jax import export


def case(x, w):
    rows, columns = export.symbolic_shape("b, 2*k")

    def outer(v):
        def f(a):
            def inner(r):
                # fault: r @ jnp.ones((11, 2))
                return r * w[0] + v[0, 0]

            return jax.vmap(inner)(a).sum(0)

        exported = export.export(jax.jit(lambda a: f(a) * 2.0))(jax.ShapeDtypeStruct((rows, columns), jnp.float32))
        return exported.call(v)

    return outer(x)


result = case(jnp.linspace(0.1, 0.5, 12).reshape(3, 4), jnp.ones(2))
