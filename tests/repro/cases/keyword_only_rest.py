"""A function with parameters that are given by keyword alone, some of them plain, behind those that take the rest."""

import jax
import jax.numpy as jnp
from jax import lax

SCALE = jnp.array([0.5, 2.0, 1.5])


def case(x, y):
    def power(f, a, *rest, rate=0.1, bias, steps=4):
        def body(i, carry):
            def move(c, w):
                # fault: c @ jnp.ones((7, 2))
                return c * rate + f(w) * SCALE + bias, c.sum()

            return lax.scan(move, carry, rest[0])[0]

        return lax.fori_loop(0, steps, body, a) + rest[1]["shift"]

    compiled = jax.jit(power, static_argnums=0, static_argnames=("rate", "steps"))
    rest = (jnp.stack([x, y]), {"shift": jnp.arange(3.0), "more": jnp.linspace(0.0, 1.0, 300)})
    return compiled(jnp.sin, x, *rest, bias=y, steps=3)


result = case(jnp.array([1.0, 2.0, 3.0]), jnp.array([0.3, -0.2, 0.1]))
