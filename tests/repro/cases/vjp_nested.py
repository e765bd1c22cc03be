import jax
import jax.numpy as jnp


def case(x, w):
    def f(a, b):
        def g(c):
            def h(d):
                # fault: d @ jnp.ones(11)
                return jnp.tanh(d) * b.sum()

            out, back = jax.vjp(h, c)
            return out * back(out)[0]

        out, back = jax.vjp(g, a)
        (cotangent,) = back(jnp.ones_like(out))
        return out + cotangent * x

    out, back = jax.vjp(f, x, w)
    return out, back(out)


result = case(jnp.linspace(0.0, 1.0, 3), jnp.linspace(1.0, 2.0, 2))
