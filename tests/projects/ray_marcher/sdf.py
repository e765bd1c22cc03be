"""Signed distance functions over points of shape (3,)."""
from functools import reduce

import jax.numpy as jnp
from jax import Array


def norm(v, axis=-1, keepdims=False, eps=1e-12):
    # safe at zero, unlike jnp.linalg.norm
    return jnp.sqrt((v * v).sum(axis=axis, keepdims=keepdims) + eps)


def normalize(v: Array) -> Array:
    return v / norm(v, keepdims=True)


def sphere(p: Array, center, radius) -> Array:
    return norm(p - center) - radius


def box(p: Array, center, half_size, rounding=0.05) -> Array:
    q = jnp.abs(p - center) - jnp.asarray(half_size) + rounding
    return norm(jnp.maximum(q, 0.0)) + jnp.minimum(jnp.max(q), 0.0) - rounding


def torus(p: Array, center, major, minor) -> Array:
    x, y, z = p - center
    ring = jnp.hypot(x, z) - major
    return jnp.hypot(ring, y) - minor


def plane(p: Array, height) -> Array:
    return p[1] - height


def smooth_union(a: Array, b: Array, k=0.2) -> Array:
    h = jnp.clip(0.5 + 0.5 * (b - a) / k, 0.0, 1.0)
    return b * (1 - h) + a * h - k * h * (1 - h)


def union(*distances) -> Array:
    return reduce(jnp.minimum, distances)


def subtract(a: Array, b: Array) -> Array:
    return jnp.maximum(a, -b)


def repeat_xz(p: Array, period) -> Array:
    xz = jnp.mod(p[jnp.array([0, 2])] + period / 2, period) - period / 2
    return jnp.array([xz[0], p[1], xz[1]])


def rotate_y(p: Array, angle) -> Array:
    c, s = jnp.cos(angle), jnp.sin(angle)
    rot = jnp.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]])
    return rot @ p
