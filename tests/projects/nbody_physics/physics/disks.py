"""Inelastic disks in a box: event handling by masks and conditionals."""
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import lax


class World(NamedTuple):
    pos: jax.Array  # (n, 2)
    vel: jax.Array  # (n, 2)
    radius: jax.Array  # (n,)
    bounces: jax.Array  # () int32


GRAVITY = jnp.array([0.0, -1.0])
BOX = 2.0


def init_world(key, n: int, radius=0.08) -> World:
    side = int(n**0.5) + 1
    grid = jnp.stack(jnp.meshgrid(jnp.arange(side), jnp.arange(side), indexing="ij"), axis=-1).reshape(-1, 2)[:n]
    pos = 0.2 + grid * (BOX - 0.4) / (side - 1)
    vel = jax.random.uniform(key, (n, 2), minval=-0.5, maxval=0.5)
    return World(pos, vel, jnp.full((n,), radius), jnp.zeros((), jnp.int32))


def collide_walls(w: World, restitution) -> World:
    r = w.radius[:, None]
    low, high = w.pos < r, w.pos > BOX - r
    hit = (low & (w.vel < 0)) | (high & (w.vel > 0))
    vel = jnp.where(hit, -restitution * w.vel, w.vel)
    pos = jnp.clip(w.pos, r, BOX - r)
    return w._replace(pos=pos, vel=vel, bounces=w.bounces + jnp.sum(hit))


def resolve_pair(w: World, i, j, restitution) -> World:
    delta = w.pos[j] - w.pos[i]
    dist = jnp.linalg.norm(delta)
    overlap = w.radius[i] + w.radius[j] - dist
    normal = delta / jnp.maximum(dist, 1e-6)
    approach = jnp.dot(w.vel[i] - w.vel[j], normal)

    def bounce(w: World) -> World:
        impulse = 0.5 * (1.0 + restitution) * approach * normal
        shift = 0.5 * overlap * normal
        return w._replace(
            vel=w.vel.at[i].add(-impulse).at[j].add(impulse),
            pos=w.pos.at[i].add(-shift).at[j].add(shift),
            bounces=w.bounces + 1,
        )

    return lax.cond((overlap > 0) & (approach > 0), bounce, lambda w: w, w)


def collide_pairs(w: World, restitution) -> World:
    n = w.pos.shape[0]
    i, j = jnp.triu_indices(n, 1)

    def body(k, w):
        return resolve_pair(w, i[k], j[k], restitution)

    return lax.fori_loop(0, i.shape[0], body, w)


def step(w: World, dt, restitution=0.9) -> World:
    vel = w.vel + dt * GRAVITY
    w = w._replace(pos=w.pos + dt * vel, vel=vel)
    return collide_pairs(collide_walls(w, restitution), restitution)


def run_until_calm(w: World, dt, threshold, max_steps=400, restitution=0.7):
    """Step until the mean speed falls below threshold; returns (world, steps)."""

    def busy(carry):
        w, i = carry
        speed = jnp.sqrt((w.vel**2).sum(-1)).mean()
        return jnp.logical_and(i < max_steps, speed > threshold)

    def body(carry):
        w, i = carry
        return step(w, dt, restitution), i + 1

    return lax.while_loop(busy, body, (w, jnp.int32(0)))


def cell_histogram(w: World, cells: int = 4) -> jax.Array:
    """Number of disks in each cell of a regular grid."""
    idx = jnp.clip(jnp.floor(w.pos / BOX * cells).astype(jnp.int32), 0, cells - 1)
    flat = idx[:, 0] * cells + idx[:, 1]
    return jnp.zeros(cells * cells, jnp.int32).at[flat].add(1).reshape(cells, cells)
