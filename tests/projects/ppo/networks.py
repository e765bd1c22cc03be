import jax
import jax.numpy as jnp
import numpy as np

orthogonal = jax.nn.initializers.orthogonal


def _linear(key, n_in, n_out, scale):
    return {"w": orthogonal(scale)(key, (n_in, n_out)), "b": jnp.zeros(n_out)}


def init_actor_critic(key, obs_dim, num_actions, hidden=64):
    def tower(key, n_out, out_scale):
        k1, k2, k3 = jax.random.split(key, 3)
        return [
            _linear(k1, obs_dim, hidden, np.sqrt(2)),
            _linear(k2, hidden, hidden, np.sqrt(2)),
            _linear(k3, hidden, n_out, out_scale),
        ]

    actor_key, critic_key = jax.random.split(key)
    return {"actor": tower(actor_key, num_actions, 0.01), "critic": tower(critic_key, 1, 1.0)}


def _tower(layers, x):
    *hidden, last = layers
    for layer in hidden:
        x = jnp.tanh(x @ layer["w"] + layer["b"])
    return x @ last["w"] + last["b"]


def actor_critic(params, obs):
    logits = _tower(params["actor"], obs)
    value = _tower(params["critic"], obs)
    return logits, jnp.squeeze(value, axis=-1)


class Categorical:
    """Minimal categorical distribution over the last axis."""

    def __init__(self, logits):
        self.logits = jax.nn.log_softmax(logits)

    def sample(self, key):
        return jax.random.categorical(key, self.logits)

    def log_prob(self, value):
        return jnp.take_along_axis(self.logits, value[..., None], axis=-1)[..., 0]

    def entropy(self):
        return -jnp.sum(jnp.exp(self.logits) * self.logits, axis=-1)

    def mode(self):
        return jnp.argmax(self.logits, axis=-1)
