import jax
import jax.numpy as jnp

import jax_cosmo as jc


@jax.jit
def distances(omega_c, a):
    cosmo = jc.Planck15(Omega_c=omega_c)
    return jc.background.radial_comoving_distance(cosmo, a), jc.background.growth_factor(cosmo, a)


a = 1 / (1 + jnp.linspace(0.1, 2.0, 5))
print(jax.tree.map(jnp.shape, distances(0.26, a)))


@jax.jit
def power(sigma8, k):
    cosmo = jc.Planck15(sigma8=sigma8)
    return jc.power.linear_matter_power(cosmo, k), jc.power.nonlinear_matter_power(cosmo, k, a=0.8)


k = jnp.logspace(-3, 0, 8)
print(jax.tree.map(jnp.shape, power(0.8, k)))

ell = jnp.logspace(1, 3, 4)
probes = [jc.probes.WeakLensing([jc.redshift.smail_nz(1.0, 2.0, 0.5), jc.redshift.smail_nz(1.0, 2.0, 1.0)], sigma_e=0.26)]


@jax.jit
def likelihood(sigma8):
    mean, cov = jc.angular_cl.gaussian_cl_covariance_and_mean(jc.Planck15(sigma8=sigma8), ell, probes, sparse=True)
    return jc.likelihood.gaussian_log_likelihood(1.01 * mean.flatten(), mean, cov)


print(jax.value_and_grad(likelihood)(0.8))
