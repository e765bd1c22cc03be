"""Sample a hierarchical logistic regression with several kernels."""
import argparse
import functools
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax, random
from jax.scipy import stats

import diagnostics
from kernels import hmc, mala, slice_sampler


def synthetic_data(seed=3, n=120, n_groups=4, dim=2):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, dim))
    group = rng.integers(0, n_groups, n)
    offsets = rng.normal(0.0, 0.7, n_groups)
    logits = x @ np.array([1.2, -0.8]) + offsets[group]
    y = (rng.random(n) < 1 / (1 + np.exp(-logits))).astype(int)
    return {"x": jnp.asarray(x, jnp.float32), "group": jnp.asarray(group), "y": jnp.asarray(y)}


def make_logdensity(data, n_groups):
    """Unnormalised log posterior over {beta, offset, log_tau}."""
    x, group, y = data["x"], data["group"], data["y"]

    def logdensity(theta):
        tau = jnp.exp(theta["log_tau"])
        logits = x @ theta["beta"] + (tau * theta["offset"])[group]
        loglik = jnp.where(y == 1, jax.nn.log_sigmoid(logits), jax.nn.log_sigmoid(-logits)).sum()
        prior = stats.norm.logpdf(theta["beta"], 0.0, 2.0).sum()
        prior += stats.norm.logpdf(theta["offset"]).sum()
        prior += stats.norm.logpdf(tau, scale=1.0) + theta["log_tau"]
        return loglik + prior

    dim = x.shape[1]

    def init(key):
        k1, k2, k3 = random.split(key, 3)
        return {
            "beta": 0.1 * random.normal(k1, (dim,)),
            "offset": 0.1 * random.normal(k2, (n_groups,)),
            "log_tau": -1.0 + 0.1 * random.normal(k3),
        }

    return logdensity, init


class DualAveraging(NamedTuple):
    log_eps: jax.Array
    log_eps_avg: jax.Array
    h: jax.Array
    t: jax.Array
    mu: jax.Array

    @classmethod
    def create(cls, eps):
        log_eps = jnp.log(eps)
        return cls(log_eps, log_eps, jnp.zeros_like(log_eps), jnp.int32(0), jnp.log(10.0) + log_eps)

    def update(self, accept_prob, target=0.8, gamma=0.05, t0=10, kappa=0.75):
        t = self.t + 1
        w = 1.0 / (t + t0)
        h = (1 - w) * self.h + w * (target - accept_prob)
        log_eps = self.mu - jnp.sqrt(t) / gamma * h
        eta = t ** -kappa
        return self._replace(log_eps=log_eps, log_eps_avg=eta * log_eps + (1 - eta) * self.log_eps_avg, h=h, t=t)


def run_chain(kernel, key, position, eps, num_warmup, num_samples, target_accept):
    """Warm up by adapting the step size, then collect num_samples draws."""

    def warmup_step(i, carry):
        state, adapt, key = carry
        key, sub = random.split(key)
        state, info = kernel.step(sub, state, jnp.exp(adapt.log_eps))
        return state, adapt.update(info.accept_prob, target_accept), key

    state = kernel.init(position)
    carry = (state, DualAveraging.create(jnp.float32(eps)), key)
    state, adapt, key = lax.fori_loop(0, num_warmup, warmup_step, carry)
    eps = jnp.exp(adapt.log_eps_avg)

    def sample_step(state, key):
        state, info = kernel.step(key, state, eps)
        return state, (state.position, info)

    _, (samples, info) = lax.scan(sample_step, state, random.split(key, num_samples))
    return samples, info, eps


@functools.partial(jax.jit, static_argnames=["kernel", "init_fn", "num_chains", "num_warmup", "num_samples"])
def run(kernel, init_fn, key, eps, target_accept, *, num_chains, num_warmup, num_samples):
    init_key, run_key = random.split(key)
    positions = jax.vmap(init_fn)(random.split(init_key, num_chains))
    chain = functools.partial(
        run_chain, kernel, eps=eps, num_warmup=num_warmup, num_samples=num_samples, target_accept=target_accept
    )
    return jax.vmap(chain)(random.split(run_key, num_chains), positions)


def print_summary(samples):
    print(f"    {'':<12}" + "".join(f"{h:>9}" for h in ("mean", "std", "q5", "q95", "rhat", "ess")))
    for name, row in diagnostics.summarize(samples).items():
        print(f"    {name:<12}" + "".join(f"{float(v):9.2f}" for v in row.values()))


def neal_funnel(z):
    """A classic hard density, for the slice sampler: z[0] is the log scale."""
    v, rest = z[0], z[1:]
    return stats.norm.logpdf(v, 0.0, 1.5) + jnp.sum(stats.norm.logpdf(rest, 0.0, jnp.exp(v / 2)))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--chains", type=int, default=4)
    parser.add_argument("--warmup", type=int, default=150)
    parser.add_argument("--samples", type=int, default=250)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()

    n_groups = 4
    data = synthetic_data(n_groups=n_groups)
    logdensity, init = make_logdensity(data, n_groups)
    key = random.key(args.seed)

    sampler = functools.partial(run, num_chains=args.chains, num_warmup=args.warmup, num_samples=args.samples)
    configs = {"mala": (mala(logdensity), 0.01, 0.57), "hmc": (hmc(logdensity, num_leapfrog=8), 0.1, 0.8)}
    for i, (name, (kernel, eps, target)) in enumerate(configs.items()):
        samples, info, step_size = sampler(kernel, init, random.fold_in(key, i), eps, target)
        print(f"{name}: accepted {info.accepted.mean():.2f}, step sizes {np.round(np.asarray(step_size), 3)}")
        print_summary({k: v for k, v in samples.items() if k != "offset"})

    funnel_samples, _, _ = sampler(
        slice_sampler(neal_funnel), lambda k: random.normal(k, (3,)), random.fold_in(key, 99), 1.0, 1.0
    )
    assert funnel_samples.shape == (args.chains, args.samples, 3)
    print("slice sampler on the funnel")
    print_summary({"z": funnel_samples})


if __name__ == "__main__":
    main()
