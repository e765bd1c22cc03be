import jax
import jax.numpy as jnp

import jaxcorr
import jaxgp
import kernels

xs_train = jnp.linspace(0, 9, 10)[:, None]
ys_train = jnp.sin(xs_train)
xs = jnp.linspace(0, 9, 15)[:, None]
hparams = {"sigma": 0.0, "s": 0.5, "l": 1.0, "invCov": jnp.linalg.inv(jnp.eye(2))}
for kernel in (kernels.rbf, kernels.squared_exponential):
    mean = jaxgp.mu_post(xs, xs_train, ys_train, kernel, hparams)
    cov = jaxgp.sigma_post(xs, xs_train, kernel, hparams)
    print(mean.shape, cov.shape)


@jax.jit
def fit(length):
    return jnp.mean(jaxgp.mu_post(xs, xs_train, ys_train, kernels.rbf, {"s": 0.5, "l": length}) ** 2)


print(jax.value_and_grad(fit)(1.5))
points = jax.random.uniform(jax.random.PRNGKey(0), (12, 2))
print([a.shape for a in jaxcorr.compute_2pcf_1D(points[:, :1], points[:, 0], bins=4)])
print([a.shape for a in jaxcorr.compute_2pcf_2D(points, points, bins=4)])
