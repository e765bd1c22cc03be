#!/usr/bin/env python3
import sys

import jax
import jax.numpy as jnp
import numpy as np

from physics import disks, gravity
from physics.bodies import planetary_system, random_cluster


def compare_integrators(bodies, dt=0.02, num_steps=200):
    start = gravity.total_energy(bodies)
    for i, f in enumerate(gravity.INTEGRATORS):
        end = gravity.simulate(bodies, dt, num_steps, i)
        err = abs((gravity.total_energy(end) - start) / start)
        print(f"  {f.__name__:<17} relative energy error {err:.1e}")


def ensemble_divergence(bodies, key, members=6, eps=1e-3, dt=0.02, num_steps=150):
    """Sensitivity to the initial condition: distance between perturbed copies."""
    noise = eps * jax.random.normal(key, (members,) + bodies.pos.shape)

    def member(delta):
        return gravity.simulate(bodies.replace(pos=bodies.pos + delta), dt, num_steps).pos

    finals = jax.vmap(member)(noise)
    reference = gravity.simulate(bodies, dt, num_steps).pos
    growth = jnp.linalg.norm(finals - reference, axis=-1) / jnp.linalg.norm(noise, axis=-1)
    return growth.mean(axis=0)


def orbital_periods(path, dt_sample):
    """Mean period of every planet from the unwrapped angle around the star."""
    rel = path.pos[:, 1:] - path.pos[:, :1]
    angle = jnp.unwrap(jnp.arctan2(rel[..., 1], rel[..., 0]), axis=0)
    rate = (angle[-1] - angle[0]) / ((angle.shape[0] - 1) * dt_sample)
    return 2 * jnp.pi / rate


def aim(target, steps=25):
    """Newton's method on the initial velocity so that a probe passes by the target."""
    system = planetary_system(3)

    def miss(v0):
        probe = system.replace(
            pos=jnp.concatenate([system.pos, jnp.array([[0.0, -2.5]])]),
            vel=jnp.concatenate([system.vel, v0[None]]),
            mass=jnp.append(system.mass, 1e-6),
        )
        return gravity.simulate(probe, 0.02, 80).pos[-1] - target

    @jax.jit
    def newton(v):
        f, jac = miss(v), jax.jacfwd(miss)(v)
        return v - jnp.linalg.solve(jac, f), jnp.linalg.norm(f)

    v = jnp.array([0.5, 0.5])
    for i in range(steps):
        v, err = newton(v)
        if err < 1e-4:
            break
    return v, err, i


def main(seed: int = 0) -> int:
    key = jax.random.key(seed)
    k_cluster, k_noise, k_disks = jax.random.split(key, 3)

    cluster = random_cluster(k_cluster, 24)
    print(f"cluster of {cluster.n} bodies, energy {gravity.total_energy(cluster):.4f}, "
          f"momentum {'zero' if jnp.allclose(cluster.momentum, 0.0, atol=1e-5) else 'not zero'}")
    compare_integrators(cluster)
    full, chunked = gravity.acceleration(cluster), gravity.acceleration_chunked(cluster, 10)
    np.testing.assert_allclose(full, chunked, rtol=1e-3, atol=1e-4)
    growth = ensemble_divergence(cluster, k_noise)
    order = jnp.argsort(growth)[::-1]
    print("most chaotic bodies:", order[:3], "growth", jnp.round(growth[order[:3]], 1))

    system = planetary_system(3)
    path, energies = gravity.record(system, 0.01, num_steps=2000, every=20)
    print("path leaves", jax.tree.map(lambda x: x.shape, path))
    periods = ", ".join(f"{p:.2f}" for p in orbital_periods(path, 0.2))
    print(f"periods {periods}, energy drift {jnp.ptp(energies):.1e}")
    v, err, iters = aim(jnp.array([1.0, 0.5]))
    print(f"aimed probe: velocity ({v[0]:.3f}, {v[1]:.3f}) after {iters} Newton steps, converged {bool(err < 1e-4)}")

    world = disks.init_world(k_disks, 14)
    calm, steps = jax.jit(disks.run_until_calm, static_argnames="max_steps")(world, 0.02, 0.12)
    print(f"disks: {calm.bounces} bounces in {steps} steps")
    print(jnp.flipud(disks.cell_histogram(calm).T))
    return 0


if __name__ == "__main__":
    sys.exit(main())
