"""Textures with four orientations, plus on-device augmentation."""
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax


def make_dataset(n, size=16, seed=0):
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 4, size=n)
    angles = labels * np.pi / 4 + rng.normal(0, 0.08, size=n)
    freq = rng.uniform(0.8, 1.4, size=n)
    phase = rng.uniform(0, 2 * np.pi, size=n)
    yy, xx = np.meshgrid(np.arange(size), np.arange(size), indexing="ij")
    proj = np.cos(angles)[:, None, None] * xx[None] + np.sin(angles)[:, None, None] * yy[None]
    images = np.sin(freq[:, None, None] * proj + phase[:, None, None])
    images += rng.normal(scale=0.4, size=images.shape)
    return images[..., np.newaxis].astype(np.float32), labels.astype(np.int32)


def random_crop(key, image, pad=2):
    h, w, c = image.shape
    padded = jnp.pad(image, ((pad, pad), (pad, pad), (0, 0)), mode="reflect")
    dy, dx = jax.random.randint(key, (2,), 0, 2 * pad + 1)
    return lax.dynamic_slice(padded, (dy, dx, 0), (h, w, c))


def augment_one(key, image):
    crop_key, noise_key, erase_key = jax.random.split(key, 3)
    image = random_crop(crop_key, image)
    image = image * jax.random.uniform(noise_key, (), minval=0.8, maxval=1.2)
    h, w, _ = image.shape
    cy, cx = jax.random.randint(erase_key, (2,), 0, jnp.array([h, w]))
    rows = jnp.abs(jnp.arange(h) - cy) < 2
    cols = jnp.abs(jnp.arange(w) - cx) < 2
    hole = jnp.logical_and(rows[:, None], cols[None, :])
    return jnp.where(hole[..., None], 0.0, image)


def augment(key, images):
    keys = jax.random.split(key, images.shape[0])
    return jax.vmap(augment_one)(keys, images)
