"""Newtonian gravity with softening, and symplectic integrators."""
from functools import partial
from typing import Callable

import jax
import jax.numpy as jnp
from jax import lax

from .bodies import Bodies

SOFTENING = 0.05


def pair_acceleration(pi, pj, mj):
    r = pj - pi
    d2 = jnp.dot(r, r) + SOFTENING**2
    return mj * r * lax.rsqrt(d2) ** 3


def acceleration(bodies: Bodies) -> jax.Array:
    over_j = jax.vmap(pair_acceleration, in_axes=(None, 0, 0))
    over_ij = jax.vmap(over_j, in_axes=(0, None, None))
    return over_ij(bodies.pos, bodies.pos, bodies.mass).sum(axis=1)


def acceleration_chunked(bodies: Bodies, chunk: int) -> jax.Array:
    """The same, with bounded memory: lax.map over chunks of bodies."""
    n, dim = bodies.pos.shape
    pad = -n % chunk
    padded = jnp.pad(bodies.pos, ((0, pad), (0, 0)))

    def one_chunk(block):
        delta = bodies.pos[None, :, :] - block[:, None, :]
        inv3 = (jnp.sum(delta**2, axis=-1) + SOFTENING**2) ** -1.5
        return jnp.einsum("ij,ijd->id", bodies.mass * inv3, delta)

    out = lax.map(one_chunk, padded.reshape(-1, chunk, dim))
    return out.reshape(-1, dim)[:n]


def potential_energy(bodies: Bodies) -> jax.Array:
    i, j = jnp.triu_indices(bodies.n, k=1)
    d = jnp.sqrt(jnp.sum((bodies.pos[i] - bodies.pos[j]) ** 2, axis=-1) + SOFTENING**2)
    return -jnp.sum(bodies.mass[i] * bodies.mass[j] / d)


def total_energy(bodies: Bodies) -> jax.Array:
    return bodies.kinetic_energy() + potential_energy(bodies)


def leapfrog(bodies: Bodies, dt, accel: Callable = acceleration) -> Bodies:
    vel = bodies.vel + 0.5 * dt * accel(bodies)
    bodies = bodies.replace(pos=bodies.pos + dt * vel, vel=vel)
    return bodies.replace(vel=bodies.vel + 0.5 * dt * accel(bodies))


def symplectic_euler(bodies: Bodies, dt, accel: Callable = acceleration) -> Bodies:
    vel = bodies.vel + dt * accel(bodies)
    return bodies.replace(pos=bodies.pos + dt * vel, vel=vel)


def yoshida4(bodies: Bodies, dt, accel: Callable = acceleration) -> Bodies:
    w1 = 1.0 / (2.0 - 2.0 ** (1 / 3))
    w0 = 1.0 - 2.0 * w1
    for w in (w1, w0, w1):
        bodies = leapfrog(bodies, w * dt, accel)
    return bodies


INTEGRATORS = (symplectic_euler, leapfrog, yoshida4)


@partial(jax.jit, static_argnums=2)
def simulate(bodies: Bodies, dt, num_steps: int, method=1) -> Bodies:
    """Advance num_steps; `method` indexes INTEGRATORS and may be traced."""
    branches = [lambda b, f=f: f(b, dt) for f in INTEGRATORS]
    return lax.fori_loop(0, num_steps, lambda _, b: lax.switch(method, branches, b), bodies)


@partial(jax.jit, static_argnames=("num_steps", "every"))
def record(bodies: Bodies, dt, *, num_steps: int, every: int = 10):
    """Trajectory sampled every few steps, as Bodies with a leading time axis."""

    def outer(b, _):
        b = lax.fori_loop(0, every, lambda _, b: leapfrog(b, dt), b)
        return b, (b, total_energy(b))

    _, (path, energies) = lax.scan(outer, bodies, length=num_steps // every)
    return path, energies
