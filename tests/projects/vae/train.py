"""Train a small VAE on synthetic binary images of bars and blobs."""
import argparse
import dataclasses
import functools
import logging
from typing import Iterator, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

import model
from config import Config

logger = logging.getLogger("vae")


class AdamState(NamedTuple):
    count: jax.Array
    mu: model.Params
    nu: model.Params


def adam_init(params) -> AdamState:
    zeros = jax.tree.map(jnp.zeros_like, params)
    return AdamState(jnp.zeros([], jnp.int32), zeros, jax.tree.map(jnp.zeros_like, params))


def adam_update(grads, state: AdamState, params, lr, b1=0.9, b2=0.999, eps=1e-8):
    count = state.count + 1
    mu = jax.tree.map(lambda m, g: b1 * m + (1 - b1) * g, state.mu, grads)
    nu = jax.tree.map(lambda v, g: b2 * v + (1 - b2) * g * g, state.nu, grads)
    mu_hat = jax.tree.map(lambda m: m / (1 - b1**count), mu)
    nu_hat = jax.tree.map(lambda v: v / (1 - b2**count), nu)
    params = jax.tree.map(lambda p, m, v: p - lr * m / (jnp.sqrt(v) + eps), params, mu_hat, nu_hat)
    return params, AdamState(count, mu, nu)


def synthetic_images(cfg: Config, n: int, rng: np.random.Generator) -> np.ndarray:
    """Binary images: one horizontal or vertical bar and one square blob."""
    s = cfg.image_size
    images = np.zeros((n, s, s), dtype=np.float32)
    position = rng.integers(0, s - 2, size=(n, 3))
    vertical = rng.random(n) < 0.5
    for i, (bar, r, c) in enumerate(position):
        if vertical[i]:
            images[i, :, bar:bar + 2] = 1.0
        else:
            images[i, bar:bar + 2, :] = 1.0
        images[i, r:r + 3, c:c + 3] = 1.0
    flips = rng.random(images.shape) < 0.01
    return np.where(flips, 1.0 - images, images).astype(np.float32)


def batches(data: np.ndarray, batch_size: int, rng: np.random.Generator) -> Iterator[np.ndarray]:
    while True:
        order = rng.permutation(len(data))
        for start in range(0, len(data) - batch_size + 1, batch_size):
            yield data[order[start:start + batch_size]]


@functools.partial(jax.jit, static_argnums=0)
def train_step(cfg: Config, params, opt_state: AdamState, x, key):
    beta = cfg.beta * jnp.minimum(1.0, (opt_state.count + 1) / cfg.warmup_steps)
    (loss, metrics), grads = jax.value_and_grad(model.negative_elbo, has_aux=True)(params, x, key, beta)
    params, opt_state = adam_update(grads, opt_state, params, cfg.learning_rate)
    return params, opt_state, dict(metrics, loss=loss)


@functools.partial(jax.jit, static_argnums=3)
def evaluate(params, x, key, num_samples):
    k1, k2 = jax.random.split(key)
    _, metrics = model.negative_elbo(params, x, k1, 1.0)
    bound = model.iwae_bound(params, x, k2, num_samples)
    return {**metrics, "iwae": bound}


@functools.partial(jax.jit, static_argnames=["n", "cfg"])
def sample_images(params, key, n: int, cfg: Config):
    z_key, x_key = jax.random.split(key)
    z = jax.random.normal(z_key, (n, cfg.latent_dim))
    probs = jax.nn.sigmoid(model.decode(params, z))
    pixels = jax.random.bernoulli(x_key, probs).astype(jnp.uint8)
    return pixels.reshape(n, cfg.image_size, cfg.image_size)


def interpolate(params, x0, x1, steps=5):
    z0 = model.encode(params, x0[None]).mean
    z1 = model.encode(params, x1[None]).mean
    t = jnp.linspace(0, 1, steps)[:, None]
    return jax.nn.sigmoid(model.decode(params, (1 - t) * z0 + t * z1))


def format_metrics(metrics) -> str:
    return "  ".join(f"{k}={float(v):.3f}" for k, v in sorted(metrics.items()))


def parse_args() -> Config:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--num-steps", type=int, default=Config.num_steps)
    parser.add_argument("--latent-dim", type=int, default=Config.latent_dim)
    parser.add_argument("--beta", type=float, default=Config.beta)
    args = parser.parse_args()
    return dataclasses.replace(Config(), num_steps=args.num_steps, latent_dim=args.latent_dim, beta=args.beta)


def main() -> None:
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    cfg = parse_args()
    logger.info("config: %s", cfg)

    rng = np.random.default_rng(cfg.seed)
    train_data = synthetic_images(cfg, 512, rng)
    test_data = jnp.asarray(synthetic_images(cfg, 64, rng))

    key = jax.random.key(cfg.seed)
    key, init_key = jax.random.split(key)
    params = model.init_vae(init_key, cfg)
    opt_state = adam_init(params)
    stream = batches(train_data, cfg.batch_size, rng)

    for step in range(1, cfg.num_steps + 1):
        key, step_key = jax.random.split(key)
        params, opt_state, metrics = train_step(cfg, params, opt_state, next(stream), step_key)
        if step % cfg.eval_every == 0:
            held_out = evaluate(params, test_data, jax.random.fold_in(key, step), cfg.num_importance_samples)
            logger.info("step %4d  train: loss=%.3f  test: %s", step, metrics["loss"], format_metrics(held_out))

    images = sample_images(params, key, 2, cfg)
    for row in np.asarray(images[0]):
        print("".join("#" if p else "." for p in row))
    path = interpolate(params, test_data[0], test_data[1])
    print("interpolation", path.shape, path.dtype)


if __name__ == "__main__":
    main()
