"""Encoder, decoder and objective. All functions are pure: params first."""
from typing import Any, Dict, NamedTuple, Sequence

import jax
import jax.numpy as jnp
from jax.scipy.special import logsumexp

from config import Config

Params = Dict[str, Any]


class Posterior(NamedTuple):
    mean: jax.Array
    logvar: jax.Array

    @property
    def std(self):
        return jnp.exp(0.5 * self.logvar)

    def sample(self, key: jax.Array) -> jax.Array:
        eps = jax.random.normal(key, self.mean.shape, dtype=self.mean.dtype)
        return self.mean + self.std * eps

    def log_prob(self, z: jax.Array) -> jax.Array:
        return normal_log_prob(z, self.mean, self.std)


def normal_log_prob(x, mean, std):
    var = jnp.square(std)
    log_p = -0.5 * (jnp.square(x - mean) / var + jnp.log(2 * jnp.pi * var))
    return jnp.sum(log_p, axis=-1)


def init_dense(key: jax.Array, n_in: int, n_out: int) -> Params:
    limit = jnp.sqrt(6.0 / (n_in + n_out))
    return {
        "kernel": jax.random.uniform(key, (n_in, n_out), minval=-limit, maxval=limit),
        "bias": jnp.zeros((n_out,)),
    }


def dense(p: Params, x: jax.Array) -> jax.Array:
    return x @ p["kernel"] + p["bias"]


def init_mlp(key: jax.Array, sizes: Sequence[int]) -> Params:
    keys = jax.random.split(key, len(sizes) - 1)
    return {f"layer_{i}": init_dense(k, a, b) for i, (k, a, b) in enumerate(zip(keys, sizes, sizes[1:]))}


def mlp(params: Params, x: jax.Array, act=jax.nn.relu) -> jax.Array:
    n = len(params)
    for i in range(n):
        x = dense(params[f"layer_{i}"], x)
        if i < n - 1:
            x = act(x)
    return x


def init_vae(key: jax.Array, cfg: Config) -> Params:
    k_enc, k_dec = jax.random.split(key)
    enc_sizes = [cfg.input_dim, *cfg.hidden, 2 * cfg.latent_dim]
    dec_sizes = [cfg.latent_dim, *reversed(cfg.hidden), cfg.input_dim]
    return dict(encoder=init_mlp(k_enc, enc_sizes), decoder=init_mlp(k_dec, dec_sizes))


def encode(params: Params, x: jax.Array) -> Posterior:
    h = mlp(params["encoder"], x.reshape((x.shape[0], -1)))
    mean, logvar = jnp.split(h, 2, axis=-1)
    return Posterior(mean, jnp.clip(logvar, -8.0, 4.0))


def decode(params: Params, z: jax.Array) -> jax.Array:
    """Bernoulli logits over flattened pixels."""
    return mlp(params["decoder"], z, act=jax.nn.gelu)


def bernoulli_log_prob(logits: jax.Array, x: jax.Array) -> jax.Array:
    return -jnp.sum(jnp.maximum(logits, 0) - logits * x + jnp.log1p(jnp.exp(-jnp.abs(logits))), axis=-1)


def kl_standard_normal(q: Posterior) -> jax.Array:
    return -0.5 * jnp.sum(1.0 + q.logvar - q.mean**2 - jnp.exp(q.logvar), axis=-1)


def negative_elbo(params: Params, x: jax.Array, key: jax.Array, beta: jax.Array):
    q = encode(params, x)
    z = q.sample(key)
    flat = x.reshape(x.shape[0], -1)
    rec = bernoulli_log_prob(decode(params, z), flat)
    kl = kl_standard_normal(q)
    loss = jnp.mean(beta * kl - rec)
    return loss, {"rec": rec.mean(), "kl": kl.mean(), "elbo": (rec - kl).mean()}


def iwae_bound(params: Params, x: jax.Array, key: jax.Array, num_samples: int) -> jax.Array:
    """Importance weighted bound with num_samples draws from the posterior."""
    q = encode(params, x)
    flat = x.reshape(x.shape[0], -1)

    def log_weight(k):
        z = q.sample(k)
        log_px_z = bernoulli_log_prob(decode(params, z), flat)
        log_pz = normal_log_prob(z, 0.0, 1.0)
        return log_px_z + log_pz - q.log_prob(z)

    log_w = jax.vmap(log_weight)(jax.random.split(key, num_samples))
    return jnp.mean(logsumexp(log_w, axis=0) - jnp.log(num_samples))
