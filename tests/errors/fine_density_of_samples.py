import jax
import jax.numpy as jnp
from jax.scipy.stats import gaussian_kde

samples = jax.random.normal(jax.random.key(0), (2, 50))
density = gaussian_kde(samples)
at = density(samples[:, :7])
logs = density.logpdf(jnp.zeros((2, 3)))
narrow = gaussian_kde(samples[0], bw_method=0.3, weights=jnp.arange(50))
share = narrow.integrate_box_1d(-1.0, 1)
overlap = density.integrate_kde(gaussian_kde(samples[:, :9], "silverman"))
drawn = density.resample(jax.random.key(1), (5,))
slope = jax.grad(lambda x: gaussian_kde(x)(x[:, :3]).sum())(samples)
again = jax.jit(lambda d, x: d(x))(density, samples)
parts = [x.shape for x in jax.tree.leaves(density)]
