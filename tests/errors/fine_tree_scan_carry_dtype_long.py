import jax
import jax.numpy as jnp


def init(key):
    return {"position": jnp.zeros(2), "velocity": jnp.zeros(2), "steps": 0}


def forces(position):
    return -position + jnp.array([0.0, -9.8])


def step(state, dt):
    velocity = state["velocity"] + dt * forces(state["position"])
    position = state["position"] + dt * velocity
    new = {"position": position, "velocity": velocity, "steps": state["steps"] + dt}
    return new, position


def simulate(key, n):
    state = init(key)
    dts = jnp.full(n, 0.01)
    return jax.lax.scan(step, state, dts)


final, path = simulate(jax.random.key(0), 100)
