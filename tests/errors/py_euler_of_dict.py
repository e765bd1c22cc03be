import jax, jax.numpy as jnp
def euler(f, y, dt):
    return y + dt * f(y)
def f(state):
    return {"x": state["v"], "v": -state["x"]}
euler(f, {"x": 1.0, "v": 0.0}, 0.1)
