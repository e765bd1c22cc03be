import jax
import jax.numpy as jnp
from jax.experimental.ode import odeint


def case(x):
    times = jnp.linspace(0.0, 1.0, 3)

    def each(k):
        def field(state, t):
            # fault: state["u"] @ jnp.ones(11)
            return {"u": -k * state["u"], "v": state["u"] * t}

        return odeint(field, {"u": x, "v": x * 0.0}, times, rtol=1e-4, mxstep=100)

    return jax.vmap(each)(jnp.array([0.5, 1.0]))


result = case(jnp.linspace(0.1, 0.5, 2))
