import jax
import jax.numpy as jnp

import jax_cosmo as jc

cosmo = jc.Planck15()
z = jnp.linspace(0.1, 2.0, 5)
a = 1 / (1 + z)
print(jc.background.radial_comoving_distance(cosmo, a).shape, jc.background.angular_diameter_distance(cosmo, a).shape)
k = jnp.logspace(-3, 0, 8)
print(jc.power.linear_matter_power(cosmo, k).shape, jc.power.nonlinear_matter_power(cosmo, k, a=0.8).shape)

bins = [jc.redshift.smail_nz(1.0, 2.0, 0.5), jc.redshift.smail_nz(1.0, 2.0, 1.0)]
ell = jnp.logspace(1, 3, 4)
probes = [jc.probes.WeakLensing(bins, sigma_e=0.26)]


@jax.jit
def spectra(omega_c):
    return jc.angular_cl.angular_cl(jc.Planck15(Omega_c=omega_c), ell, probes)


print(spectra(0.26).shape, jax.jacfwd(spectra)(0.26).shape)


def likelihood(sigma8):
    mean, cov = jc.angular_cl.gaussian_cl_covariance_and_mean(jc.Planck15(sigma8=sigma8), ell, probes, sparse=True)
    return jc.likelihood.gaussian_log_likelihood(1.01 * mean.flatten(), mean, cov)


print(jax.value_and_grad(likelihood)(0.8))
