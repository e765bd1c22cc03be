from __future__ import annotations

import itertools

import jax
import jax.numpy as jnp
import numpy as np
import optax

from discrete import HMM, particle_filter
from linear_gaussian import KalmanFilter, constant_velocity, parallel_affine


def tracking(key: jax.Array, num_steps: int = 60) -> None:
    kf = KalmanFilter(constant_velocity())
    states, obs = kf.simulate(key, num_steps)
    mask = np.ones(num_steps, dtype=bool)
    mask[20:30] = False  # an outage of the sensor

    filtered = kf.filter(obs, mask)
    means, covs = kf.smooth(filtered)
    rmse = lambda est: float(jnp.sqrt(jnp.mean((est[:, :2] - states[:, :2]) ** 2)))
    print(f"tracking: rmse filter {rmse(filtered.mean):.3f}, smoother {rmse(means):.3f}, raw {rmse(obs):.3f}")
    print(f"  log-likelihood {filtered.loglik.sum():.2f}, "
          f"uncertainty in the outage x{covs[25, 0, 0] / covs[10, 0, 0]:.1f}")

    many = jax.vmap(lambda k: kf.simulate(k, num_steps)[1])(jax.random.split(key, 5))
    logliks = jax.vmap(lambda y: kf.filter(y).loglik.sum())(many)
    print("  log-likelihoods of five tracks", np.round(np.asarray(logliks), 1))

    As = jnp.broadcast_to(kf.params.A * 0.9, (num_steps, 4, 4))
    bs = jax.random.normal(key, (num_steps, 4))
    _, sequential = jax.lax.scan(lambda x, b: (As[0] @ x + b,) * 2, jnp.zeros(4), bs)
    np.testing.assert_allclose(jax.jit(parallel_affine)(As, bs), sequential, rtol=1e-3, atol=1e-3)


def brute_force(hmm: HMM, symbols) -> tuple[float, tuple]:
    """All the paths: total probability and the best path."""
    log_pi, log_T, log_E = map(np.asarray, hmm.log_tables())
    symbols = np.asarray(symbols)
    scores = {}
    for path in itertools.product(range(hmm.num_states), repeat=len(symbols)):
        score = log_pi[path[0]] + sum(log_E[s, v] for s, v in zip(path, symbols))
        score += sum(log_T[a, b] for a, b in zip(path, path[1:]))
        scores[path] = score
    return float(np.logaddexp.reduce(list(scores.values()))), max(scores, key=scores.get)


def hidden_markov(key: jax.Array) -> None:
    k_true, k_sample, k_init = jax.random.split(key, 3)
    truth = HMM.random(k_true, 3, 5)
    batch_sample = jax.vmap(HMM.sample, in_axes=(None, 0, None))
    states, data = jax.jit(batch_sample, static_argnums=2)(truth, jax.random.split(k_sample, 32), 30)

    short = data[0, :6]
    total, best = brute_force(truth, short)
    path, score = jax.jit(HMM.viterbi)(truth, short)
    np.testing.assert_allclose(truth.log_likelihood(short), total, rtol=1e-4)
    assert tuple(path.tolist()) == best
    print("hmm: viterbi", path.tolist(), f"score {score:.3f}")
    marginals = truth.posterior(short)
    np.testing.assert_allclose(marginals.sum(1), 1.0, rtol=1e-4)

    decoded, _ = jax.vmap(truth.viterbi)(data)
    print(f"  decoded states right: {jnp.mean(decoded == states):.2f}")

    def loss(hmm: HMM) -> jax.Array:
        return -jax.vmap(hmm.log_likelihood)(data).mean() / data.shape[1]

    tx = optax.rmsprop(0.05)
    model = HMM.random(k_init, 3, 5, scale=0.5)

    @jax.jit
    def fit(model):
        def step(carry, _):
            model, opt_state = carry
            value, grads = jax.value_and_grad(loss)(model)
            updates, opt_state = tx.update(grads, opt_state)
            return (optax.apply_updates(model, updates), opt_state), value

        (model, _), values = jax.lax.scan(step, (model, tx.init(model)), None, length=60)
        return model, values

    model, values = fit(model)
    print(f"  fitting: {values[0]:.3f} -> {values[-1]:.3f}, truth {loss(truth):.3f}")


def nonlinear(key: jax.Array, num_steps: int = 50) -> None:
    """Stochastic volatility, tracked by particles."""

    def dynamics(k, x):
        return 0.95 * x + 0.3 * jax.random.normal(k)

    def log_obs(x, y):
        return jax.scipy.stats.norm.logpdf(y, 0.0, jnp.exp(x / 2))

    def simulate(x, k):
        k1, k2 = jax.random.split(k)
        x = dynamics(k1, x)
        return x, (x, jnp.exp(x / 2) * jax.random.normal(k2))

    _, (xs, ys) = jax.lax.scan(simulate, jnp.float32(0.0), jax.random.split(key, num_steps))
    out = particle_filter(key, ys, 500, dynamics, log_obs)
    corr = jnp.corrcoef(out["mean"], xs)[0, 1]
    print(f"particles: correlation with the truth {corr:.2f}, smallest effective size {out['ess'].min():.0f}")


if __name__ == "__main__":
    root = jax.random.key(17)
    for i, experiment in enumerate((tracking, hidden_markov, nonlinear)):
        experiment(jax.random.fold_in(root, i))
