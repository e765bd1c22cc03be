import jax
import jax.numpy as jnp

from eigenfluids import EigenFluid, advect_density, advect_particles

fluid = EigenFluid()
fluid.N, fluid.mx, fluid.my, fluid.mz, fluid.dt, fluid.viscosity = 24, 6, 6, 6, 0.05, 0.01
fluid.precompute_wave_numbers()
fluid.precompute_eigenvalues()
fluid.precompute_velocity_basis_fields()
fluid.precompute_Ck()
key = jax.random.PRNGKey(0)
fluid.basis_coef = 0.1 * jax.random.normal(key, (24,))
fluid.force_coef = jnp.zeros(24).at[2].set(0.5)
fluid.density = jnp.ones((6, 6, 6))
fluid.particles = jax.random.uniform(key, (10, 3)) * jnp.pi
fluid.particle_rng_key = key
for _ in range(2):
    fluid.step()
print(fluid.velocity_field.shape, fluid.particles.shape)
moved = jax.jit(advect_particles)(fluid.particles, fluid.velocity_field, 0.1)
spread = jax.grad(lambda density: jnp.sum(advect_density(density, fluid.velocity_field, 0.1) ** 2))(fluid.density)
print(moved.shape, spread.shape)
