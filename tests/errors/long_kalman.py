import jax
import jax.numpy as jnp
from typing import NamedTuple


class Belief(NamedTuple):
    mean: jax.Array
    cov: jax.Array


class Model(NamedTuple):
    transition: jax.Array
    noise: jax.Array
    observation: jax.Array
    observation_noise: jax.Array


def predict(model, belief):
    mean = model.transition @ belief.mean
    cov = model.transition @ belief.cov @ model.transition.T + model.noise
    return Belief(mean, cov)


def correct(model, belief, y):
    h = model.observation
    s = h @ belief.cov @ h.T + model.observation_noise
    gain = jnp.linalg.solve(s, h @ belief.cov).T
    mean = belief.mean + gain @ (y - h @ belief.mean)
    cov = belief.cov - gain @ h
    return Belief(mean, cov)


def filter_step(model):
    def step(belief, y):
        belief = correct(model, predict(model, belief), y)
        return belief, belief.mean

    return step


model = Model(jnp.eye(4), 0.1 * jnp.eye(4), jnp.eye(2, 4), jnp.eye(2))
start = Belief(jnp.zeros(4), jnp.eye(4))
observations = jnp.ones((50, 2))
last, means = jax.lax.scan(filter_step(model), start, observations)
gains = jnp.stack([last.cov, model.observation])
