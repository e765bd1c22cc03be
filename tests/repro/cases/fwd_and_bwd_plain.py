import jax
import jax.numpy as jnp


def case(x, w):
    def f(a, b):
        def g(c):
            # fault: c @ jnp.ones(11)
            return jnp.sin(c) * b + w

        return jax.vmap(g)(a)

    forward, backward = jax.fwd_and_bwd(f, argnums=(0, 1))
    out, residuals = forward(x, w)
    return out, backward(residuals, jnp.ones_like(out))


result = jax.jit(case)(jnp.linspace(0.0, 1.0, 3), jnp.array(2.0))
