from __future__ import annotations

import dataclasses
from typing import Any

import jax
import jax.numpy as jnp


@jax.tree_util.register_pytree_node_class
@dataclasses.dataclass
class Bodies:
    """Positions (n, d), velocities (n, d) and masses (n,) of point masses."""

    pos: jax.Array
    vel: jax.Array
    mass: jax.Array

    def tree_flatten(self):
        return (self.pos, self.vel, self.mass), None

    @classmethod
    def tree_unflatten(cls, aux: Any, children):
        return cls(*children)

    def replace(self, **changes) -> Bodies:
        return dataclasses.replace(self, **changes)

    @property
    def n(self) -> int:
        return self.pos.shape[-2]

    @property
    def momentum(self) -> jax.Array:
        return jnp.einsum("n,nd->d", self.mass, self.vel)

    @property
    def center_of_mass(self) -> jax.Array:
        return jnp.average(self.pos, axis=0, weights=self.mass)

    def kinetic_energy(self) -> jax.Array:
        return 0.5 * jnp.sum(self.mass * jnp.sum(self.vel**2, axis=-1))

    def centered(self) -> Bodies:
        drift = self.momentum / self.mass.sum()
        return self.replace(pos=self.pos - self.center_of_mass, vel=self.vel - drift)


def random_cluster(key: jax.Array, n: int, dim: int = 3, spin: float = 0.4) -> Bodies:
    k_pos, k_vel, k_mass = jax.random.split(key, 3)
    pos = jax.random.normal(k_pos, (n, dim))
    vel = 0.1 * jax.random.normal(k_vel, (n, dim))
    tangent = jnp.stack([-pos[:, 1], pos[:, 0]], axis=-1)
    vel = vel.at[:, :2].add(spin * tangent)
    mass = jnp.exp(0.3 * jax.random.normal(k_mass, (n,))) / n
    return Bodies(pos, vel, mass).centered()


def planetary_system(num_planets: int) -> Bodies:
    """A heavy star with planets on circular orbits in the plane."""
    radius = 1.0 + 0.5 * jnp.arange(num_planets)
    angle = 2.4 * jnp.arange(num_planets)
    direction = jnp.stack([jnp.cos(angle), jnp.sin(angle)], axis=-1)
    pos = radius[:, None] * direction
    speed = jnp.sqrt(1.0 / radius)
    vel = speed[:, None] * jnp.stack([-direction[:, 1], direction[:, 0]], axis=-1)
    return Bodies(
        pos=jnp.concatenate([jnp.zeros((1, 2)), pos]),
        vel=jnp.concatenate([jnp.zeros((1, 2)), vel]),
        mass=jnp.concatenate([jnp.ones(1), jnp.full(num_planets, 1e-4)]),
    ).centered()
