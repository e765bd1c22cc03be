from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import lax


class State(NamedTuple):
    h: jax.Array
    n: int


def case(x, params):
    def loss(p):
        def cell(state, inputs):
            def gate(a):
                # fault: a @ jnp.ones(11)
                return jax.nn.sigmoid(a @ p["w"] + state.h)

            h = gate(inputs["x"]) * inputs["m"]
            return State(h, state.n + 1), {"h": h, "n": state.n}

        state, out = lax.scan(cell, State(jnp.zeros(3), 0), {"x": x, "m": jnp.ones(2)})
        return out["h"].sum() + state.h.sum(), state

    return jax.grad(loss, has_aux=True)(params)


result = jax.jit(case)(
    jnp.linspace(0.0, 1.0, 6).reshape(2, 3), {"w": jnp.linspace(-1.0, 1.0, 9).reshape(3, 3)}
)
