import jax
import jax.numpy as jnp
import jax.scipy as jsp


def rbf(x, y, scale):
    return jnp.exp(-0.5 * jnp.sum((x - y) ** 2) / scale**2)


def gram(kernel, xs, ys):
    return jax.vmap(lambda x: jax.vmap(lambda y: kernel(x, y))(ys))(xs)


def posterior(xs, ys, queries, scale, noise):
    kernel = lambda a, b: rbf(a, b, scale)
    k = gram(kernel, xs, xs) + noise * jnp.eye(xs.shape[0])
    cross = gram(kernel, queries, xs)
    factor = jsp.linalg.cho_factor(k, lower=True)
    alpha = jsp.linalg.cho_solve(factor, ys)
    mean = cross @ alpha
    cov = gram(kernel, queries, queries) - cross @ jsp.linalg.cho_solve(factor, cross)
    return mean, cov


xs = jnp.linspace(0, 1, 10)[:, None]
ys = jnp.sin(6 * xs[:, 0])
queries = jnp.linspace(0, 1, 25)[:, None]
mean, cov = jax.jit(posterior)(xs, ys, queries, 0.2, 1e-3)
