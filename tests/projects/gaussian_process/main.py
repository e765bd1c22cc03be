import jax

jax.config.update("jax_enable_x64", True)

import jax.numpy as jnp
import numpy as np
import optax
from jax.flatten_util import ravel_pytree
from scipy.optimize import minimize

from gp import GP, condition, leave_one_out, log_marginal_likelihood, predict, sample, sparse_elbo
from kernels import RBF, Matern32, Periodic, softplus_inverse


def load_data(n=60, seed=0):
    """A slow trend plus a seasonal signal, observed at random times."""
    rng = np.random.default_rng(seed)
    t = np.sort(rng.uniform(0.0, 6.0, size=n))
    f = 0.3 * t + np.sin(2 * np.pi * t) * np.exp(-0.1 * t)
    y = f + 0.15 * rng.standard_normal(n)
    return t[:, None], y


def initial_gp():
    kernel = RBF.create(scale=1.0, length=3.0) + Periodic.create(period=1.1) * Matern32.create(length=4.0)
    return GP(kernel=kernel, raw_noise=softplus_inverse(jnp.float64(0.3)), mean=jnp.zeros(()))


def fit_lbfgs(gp, x, y, max_steps=40, tol=1e-3):
    """Maximise the marginal likelihood, all in one compiled while_loop."""

    def objective(gp):
        return -log_marginal_likelihood(gp, x, y) / len(y)

    opt = optax.lbfgs(memory_size=8)
    value_and_grad = optax.value_and_grad_from_state(objective)

    @jax.jit
    def run(gp):
        def step(carry):
            gp, state = carry
            value, grad = value_and_grad(gp, state=state)
            updates, state = opt.update(grad, state, gp, value=value, grad=grad, value_fn=objective)
            return optax.apply_updates(gp, updates), state

        def keep_going(carry):
            _, state = carry
            count = optax.tree.get(state, "count")
            grad = optax.tree.get(state, "grad")
            return (count == 0) | ((count < max_steps) & (optax.tree.norm(grad) >= tol))

        return jax.lax.while_loop(keep_going, step, (gp, opt.init(gp)))

    gp, state = run(gp)
    return gp, int(optax.tree.get(state, "count"))


def fit_scipy(gp, x, y):
    """The same optimisation driven from scipy over the raveled hyperparameters."""
    theta0, unravel = ravel_pytree(gp)
    fun = jax.jit(jax.value_and_grad(lambda th: -log_marginal_likelihood(unravel(th), x, y)))

    def numpy_fun(theta):
        value, grad = fun(theta)
        return float(value), np.asarray(grad, dtype=np.float64)

    result = minimize(numpy_fun, np.asarray(theta0), jac=True, method="L-BFGS-B", options={"maxiter": 60})
    return unravel(jnp.asarray(result.x)), result.fun


def fit_inducing(gp, z, x, y, steps=60, lr=0.02):
    """Gradient ascent on the locations only, hyperparameters held fixed."""
    tx = optax.chain(optax.adam(lr))
    grad_fn = jax.value_and_grad(lambda z: -sparse_elbo(gp, z, x, y))

    @jax.jit
    def step(carry, _):
        z, state = carry
        value, grad = grad_fn(z)
        updates, state = tx.update(grad, state)
        return (optax.apply_updates(z, updates), state), -value

    (z, _), bounds = jax.lax.scan(step, (z, tx.init(z)), None, length=steps)
    return z, bounds


def main():
    x, y = map(jnp.asarray, load_data())
    assert x.dtype == jnp.float64
    gp = initial_gp()
    lml = jax.jit(log_marginal_likelihood)
    print(f"log marginal likelihood at the start: {lml(gp, x, y):.3f}")

    fitted, n_iter = fit_lbfgs(gp, x, y)
    print(f"L-BFGS: {lml(fitted, x, y):.2f} after {n_iter} iterations")
    fitted_sp, nll = fit_scipy(gp, x, y)
    print(f"scipy : {-nll:.2f}")
    print(f"noise {fitted.noise:.3f}, period {jax.nn.softplus(fitted.kernel.right.left.raw_period):.3f}")

    post = jax.jit(condition)(fitted, x, y)
    x_new = jnp.linspace(-0.5, 6.5, 50)[:, None]
    mean, var = jax.jit(predict)(post, x_new)
    lower, upper = mean - 2 * jnp.sqrt(var), mean + 2 * jnp.sqrt(var)
    truth = 0.3 * x_new[:, 0] + jnp.sin(2 * jnp.pi * x_new[:, 0]) * jnp.exp(-0.1 * x_new[:, 0])
    inside = jnp.logical_and(truth > lower, truth < upper)
    print(f"coverage of the 2 sigma band: {inside.mean():.2f}")

    draws = sample(jax.random.key(0), post, x_new, 5)
    print("posterior draws", draws.shape, draws.dtype, "mean roughness",
          f"{jnp.abs(jnp.diff(draws, axis=1)).mean():.3f}")
    print(f"leave-one-out score {leave_one_out(post, y).mean():.3f}")

    z, bounds = fit_inducing(fitted, x[::4], x, y)
    assert bounds[-1] <= lml(fitted, x, y)
    print(f"sparse bound with {z.shape[0]} points: {bounds[0]:.1f} -> {bounds[-1]:.1f}")

    # curvature of the likelihood in the noise
    d2 = jax.hessian(lambda raw: log_marginal_likelihood(fitted._replace(raw_noise=raw), x, y))(fitted.raw_noise)
    print(f"second derivative in the raw noise: {d2:.2f}")


if __name__ == "__main__":
    main()
