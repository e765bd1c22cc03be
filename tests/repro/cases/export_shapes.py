import jax
import jax.numpy as jnp
from jax import lax
from jax import export


def case(x):
    @jax.jit
    def f(a):
        def body(c, t):
            def inner(u):
                # fault: u @ jnp.ones((11, 2))
                return u.sum() * a[0, 0]

            return c + inner(t), c

        return lax.scan(body, 0.0, a)

    (n,) = export.symbolic_shape("n")
    exported = export.export(f)(jax.ShapeDtypeStruct((3, n), jnp.float32))
    return exported.call(x)


result = case(jnp.linspace(0.1, 0.5, 6).reshape(3, 2))
