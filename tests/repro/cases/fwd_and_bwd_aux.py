import jax
import jax.numpy as jnp


def case(x, w):
    def outer(y):
        def f(a):
            @jax.checkpoint
            def g(c):
                # fault: c @ jnp.ones(11)
                return jnp.cos(c) * y

            return g(a) * w, {"a": a}

        forward, backward = jax.fwd_and_bwd(f, argnums=0, has_aux=True)
        out, residuals, aux = forward(y)
        return out, backward(residuals, out), aux["a"]

    return jax.vmap(outer)(x)


result = case(jnp.linspace(0.0, 1.0, 3), jnp.array(2.0))
