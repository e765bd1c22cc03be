import jax
import jax.numpy as jnp
import numpy as np


class Buffer:
    def __init__(self, capacity, observation_size):
        self.observations = np.zeros((capacity, observation_size), np.float32)
        self.actions = np.zeros(capacity, np.int32)
        self.rewards = np.zeros(capacity, np.float32)
        self.size = 0

    def add(self, observation, action, reward):
        i = self.size % len(self.actions)
        self.observations[i] = observation
        self.actions[i] = action
        self.rewards[i] = reward
        self.size += 1

    def sample(self, rng, n):
        index = rng.integers(0, self.size, n)
        return self.observations[index], self.actions[index], self.rewards[index]


def q_values(params, observation):
    hidden = jnp.tanh(observation @ params["w1"] + params["b1"])
    return hidden @ params["w2"]


def loss(params, observations, actions, rewards):
    values = q_values(params, observations)
    chosen = values[jnp.arange(len(actions)), actions]
    return jnp.mean((chosen - rewards) ** 2)


@jax.jit
def update(params, batch):
    grads = jax.grad(loss)(params, batch)
    return jax.tree.map(lambda p, g: p - 0.01 * g, params, grads)


rng = np.random.default_rng(0)
buffer = Buffer(100, 4)
for _ in range(20):
    buffer.add(rng.normal(size=4), rng.integers(2), 1.0)
params = {"w1": jnp.ones((4, 8)), "b1": jnp.zeros(8), "w2": jnp.ones((8, 2))}
params = update(params, buffer.sample(rng, 16))
