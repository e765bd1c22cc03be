"""Hidden Markov models, and a bootstrap particle filter."""
import functools

import jax
import jax.numpy as jnp
from jax import lax, nn
from jax.scipy.special import logsumexp


class HMM:
    """Parameters are unconstrained logits, so gradients may be used for fitting."""

    def __init__(self, initial, transition, emission):
        self.initial = initial  # (K,)
        self.transition = transition  # (K, K)
        self.emission = emission  # (K, V)

    @classmethod
    def random(cls, key, num_states, num_symbols, scale=2.0):
        ks = jax.random.split(key, 3)
        shapes = [(num_states,), (num_states, num_states), (num_states, num_symbols)]
        return cls(*[scale * jax.random.normal(k, s) for k, s in zip(ks, shapes)])

    @property
    def num_states(self):
        return self.transition.shape[0]

    def log_tables(self):
        return nn.log_softmax(self.initial), nn.log_softmax(self.transition, -1), nn.log_softmax(self.emission, axis=-1)

    def sample(self, key, length):
        k0, key = jax.random.split(key)
        state = jax.random.categorical(k0, self.initial)

        def step(state, k):
            ke, kt = jax.random.split(k)
            symbol = jax.random.categorical(ke, self.emission[state])
            return jax.random.categorical(kt, self.transition[state]), (state, symbol)

        _, (states, symbols) = lax.scan(step, state, jax.random.split(key, length))
        return states, symbols

    def log_likelihood(self, symbols):
        log_pi, log_T, log_E = self.log_tables()

        def step(alpha, v):
            alpha = logsumexp(alpha[:, None] + log_T, axis=0) + log_E[:, v]
            return alpha, alpha

        alpha, _ = lax.scan(step, log_pi + log_E[:, symbols[0]], symbols[1:])
        return logsumexp(alpha)

    def posterior(self, symbols):
        """The marginals are the gradient of the log-likelihood in the log emissions."""
        log_pi, log_T, log_E = self.log_tables()

        def objective(evidence):
            def step(alpha, e):
                return logsumexp(alpha[:, None] + log_T, axis=0) + e, None

            alpha, _ = lax.scan(step, log_pi + evidence[0], evidence[1:])
            return logsumexp(alpha)

        return jax.grad(objective)(log_E[:, symbols].T)

    def viterbi(self, symbols):
        log_pi, log_T, log_E = self.log_tables()

        def forward(delta, v):
            candidates = delta[:, None] + log_T
            return candidates.max(0) + log_E[:, v], candidates.argmax(0)

        delta, pointers = lax.scan(forward, log_pi + log_E[:, symbols[0]], symbols[1:])
        last = jnp.argmax(delta)

        def backward(state, pointer):
            return pointer[state], state

        first, rest = lax.scan(backward, last, pointers, reverse=True)
        return jnp.concatenate([first[None], rest]), delta[last]


jax.tree_util.register_pytree_node(
    HMM,
    lambda h: ((h.initial, h.transition, h.emission), None),
    lambda _, xs: HMM(*xs),
)


def systematic_resample(key, log_weights):
    n = log_weights.shape[0]
    cdf = jnp.cumsum(nn.softmax(log_weights))
    u = (jnp.arange(n) + jax.random.uniform(key)) / n
    return jnp.clip(jnp.searchsorted(cdf, u), 0, n - 1)


@functools.partial(jax.jit, static_argnames=("num_particles", "dynamics", "log_obs"))
def particle_filter(key, ys, num_particles, dynamics, log_obs, threshold=0.5):
    """Bootstrap filter of a scalar state, which resamples when the effective size is low."""
    init_key, scan_key = jax.random.split(key)
    particles = jax.random.normal(init_key, (num_particles,))

    def step(carry, inputs):
        particles, log_w = carry
        y, k = inputs
        k_move, k_res = jax.random.split(k)
        particles = jax.vmap(dynamics)(jax.random.split(k_move, num_particles), particles)
        log_w = log_w + log_obs(particles, y)
        w = nn.softmax(log_w)
        ess = 1.0 / jnp.sum(w**2)
        estimate = jnp.sum(w * particles)

        def resample(_):
            idx = systematic_resample(k_res, log_w)
            return particles[idx], jnp.zeros_like(log_w)

        carry = lax.cond(ess < threshold * num_particles, resample, lambda _: (particles, log_w), None)
        return carry, {"mean": estimate, "ess": ess}

    init = (particles, jnp.zeros(num_particles))
    _, out = lax.scan(step, init, (ys, jax.random.split(scan_key, ys.shape[0])))
    return out
