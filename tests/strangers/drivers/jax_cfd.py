import functools

import jax
import jax.numpy as jnp

import jax_cfd.base as cfd

grid = cfd.grids.Grid((16, 16), domain=((0, 2 * jnp.pi), (0, 2 * jnp.pi)))
v0 = cfd.initial_conditions.filtered_velocity_field(jax.random.PRNGKey(0), grid, maximum_velocity=2.0, peak_wavenumber=2)
dt = cfd.equations.stable_time_step(2.0, 0.5, 1e-2, grid)
step = cfd.equations.semi_implicit_navier_stokes(density=1.0, viscosity=1e-2, dt=dt, grid=grid)
rollout = jax.jit(cfd.funcutils.trajectory(cfd.funcutils.repeated(step, 3), 4))
last, trajectory = rollout(v0)
print(last[0].data.shape, trajectory[0].data.shape)


@jax.jit
def energy(v):
    out = cfd.funcutils.repeated(step, 2)(v)
    return sum(jnp.mean(u.data**2) for u in out)


print(energy(v0), jax.tree.map(jnp.shape, jax.grad(energy)(v0)))
advect = functools.partial(cfd.advection.advect_van_leer, dt=dt)
scalar = cfd.initial_conditions.wrap_variables([jnp.ones(grid.shape)], grid, [v0[0].bc])[0]
print(jax.jit(advect)(scalar, v0).data.shape)
