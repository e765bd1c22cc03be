"""Exercises for the derivative rules: numerical checks first, then uses."""
import functools
import math

import jax
import jax.numpy as jnp
import numpy as np
from jax.ad_checkpoint import checkpoint_name

from rules import clip_gradient, fixed_point, log1pexp, quantize, safe_norm, softmax_cross_entropy, sqrtm, sqrtm_newton, xlogy_like
from second_order import curl, divergence, fisher_vector_product, gauss_newton, hessian_diag, hvp, laplacian, newton


def numerical_grad(f, x, eps=1e-3):
    x = np.asarray(x, np.float32)
    out = np.zeros_like(x)
    for i in np.ndindex(x.shape):
        hi, lo = x.copy(), x.copy()
        hi[i] += eps
        lo[i] -= eps
        out[i] = (f(hi) - f(lo)) / (2 * eps)
    return out


def check_rules(key):
    x = jnp.array([-100.0, -1.0, 0.0, 2.0, 100.0])
    print("log1pexp grad ", jax.vmap(jax.grad(log1pexp))(x))
    print("second order  ", jax.vmap(jax.grad(jax.grad(log1pexp)))(x))

    points = jnp.array([[0.0, 0.0], [3.0, 4.0]])
    print("safe norm grad", jax.grad(lambda p: safe_norm(p).sum())(points)[1])
    print("safe norm jac over axis 0", jax.jacfwd(lambda p: safe_norm(p, 0))(points).shape)
    dx, dy = jax.grad(xlogy_like, argnums=(0, 1))(0.0, 2.0)
    print("xlogy grads   ", dx, dy, jax.grad(xlogy_like)(2.0, math.e))

    steep = lambda v: jnp.sum(clip_gradient(-1.0, 1.0, v) ** 3)
    print("clipped grad  ", jax.jit(jax.grad(steep))(jnp.array([0.1, -2.0, 5.0])))

    v = jax.random.normal(key, (6,))
    step = jnp.float32(0.25)
    gv, gstep = jax.grad(lambda v, s: jnp.sum(jnp.sin(quantize(v, s))), argnums=(0, 1))(v, step)
    print("straight-through", gv.shape, gstep.dtype)

    logits = jax.random.normal(key, (4, 3))
    labels = jnp.array([0, 2, 1, 1])
    ours = jax.grad(softmax_cross_entropy)(logits, labels)
    num = numerical_grad(jax.jit(lambda l: softmax_cross_entropy(l, labels)), logits)
    np.testing.assert_allclose(ours, num, atol=2e-3)

    a = jnp.eye(3) + 0.1 * jnp.ones((3, 3)) + jnp.diag(jnp.arange(3.0))
    unrolled, by_rule = (jax.jit(jax.grad(lambda m, f=f: jnp.trace(f(m))))(a) for f in (sqrtm_newton, sqrtm))
    np.testing.assert_allclose(by_rule, unrolled, rtol=1e-2, atol=1e-3)
    print("sqrtm rule agrees with unrolled iterations")


def deep_equilibrium(key, dim=8, lr=0.3, steps=30):
    """Train the parameters of an implicit layer z = tanh(W z + U x + b)."""

    def cell(params_x, z):
        params, x = params_x
        return jnp.tanh(z @ params["W"] + x @ params["U"] + params["b"])

    def predict(params, x):
        z0 = jnp.zeros((x.shape[0], dim))
        return fixed_point(cell, (params, x), z0) @ params["out"]

    def loss(params, x, y):
        return jnp.mean((predict(params, x) - y) ** 2)

    kw, ku, ko, kx = jax.random.split(key, 4)
    params = {
        "W": 0.3 * jax.random.normal(kw, (dim, dim)) / jnp.sqrt(dim),
        "U": jax.random.normal(ku, (2, dim)),
        "b": jnp.zeros(dim),
        "out": jax.random.normal(ko, (dim,)) / jnp.sqrt(dim),
    }
    x = jax.random.uniform(kx, (64, 2), minval=-1, maxval=1)
    y = x[:, 0] * x[:, 1]

    @jax.jit
    def update(params):
        value, grads = jax.value_and_grad(loss)(params, x, y)
        return jax.tree.map(lambda p, g: p - lr * g, params, grads), value

    values = []
    for _ in range(steps):
        params, value = update(params)
        values.append(value)
    print(f"deep equilibrium model: loss {values[0]:.4f} -> {values[-1]:.4f}")


def residual_block(params, x):
    h = checkpoint_name(jnp.sin(x @ params["w1"]), "hidden")
    return x + h @ params["w2"]


def remat_network(key, depth=6, width=16):
    """The same gradient with different amounts of recomputation."""
    k1, k2, kx = jax.random.split(key, 3)
    params = {
        "w1": 0.3 * jax.random.normal(k1, (depth, width, width)),
        "w2": 0.3 * jax.random.normal(k2, (depth, width, width)),
    }
    x = jax.random.normal(kx, (10, width))
    policies = {
        "none": lambda f: f,
        "full": jax.checkpoint,
        "dots": functools.partial(jax.checkpoint, policy=jax.checkpoint_policies.dots_with_no_batch_dims_saveable),
        "names": functools.partial(
            jax.checkpoint, policy=jax.checkpoint_policies.save_only_these_names("hidden"), prevent_cse=False
        ),
    }

    def make_loss(wrap):
        block = wrap(residual_block)

        def loss(params):
            out, _ = jax.lax.scan(lambda h, p: (block(p, h), None), x, params)
            return jnp.mean(out**2)

        return loss

    grads = {name: jax.jit(jax.grad(make_loss(wrap)))(params) for name, wrap in policies.items()}
    for name, g in grads.items():
        same = jax.tree.map(lambda a, b: jnp.allclose(a, b, rtol=1e-3, atol=1e-4), g, grads["none"])
        print(f"  remat {name:<6} same gradient: {jax.tree.all(same)}")


@functools.partial(jax.checkpoint, static_argnums=(1,))
def power_series(x, terms):
    """exp by its series; `terms` is a python number."""
    total, term = jnp.ones_like(x), jnp.ones_like(x)
    for k in range(1, terms):
        term = term * x / k
        total = total + term
    return total


def second_order_demo(key):
    rosenbrock = lambda x: jnp.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2)
    x0 = jnp.array([-1.2, 1.0, 0.5])
    result = jax.jit(newton, static_argnums=0)(rosenbrock, x0)
    print(f"newton: converged {bool(jnp.allclose(result.x, 1.0, atol=1e-2))} in {result.iterations} iterations")

    H = jax.jit(jax.hessian(rosenbrock))(x0)
    diag = jax.jit(functools.partial(hessian_diag, rosenbrock))(x0)
    np.testing.assert_allclose(diag, jnp.diag(H), rtol=1e-4)
    np.testing.assert_allclose(hvp(rosenbrock, x0, jnp.ones(3)), H.sum(axis=1), rtol=1e-4, atol=1e-2)
    rev_rev = jax.jit(jax.jacrev(jax.jacrev(rosenbrock)))(x0)
    np.testing.assert_allclose(rev_rev, H, rtol=1e-4)
    print("Hessian", H.shape, "third derivative", jax.eval_shape(jax.jacfwd(jax.jacfwd(jax.grad(rosenbrock))), x0).shape)

    swirl = lambda p: jnp.array([-p[1], p[0], p[2] ** 2])
    pts = jax.random.normal(key, (4, 3))
    print("divergence", (jax.vmap(divergence(swirl))(pts) - 2 * pts[:, 2]).round(3), "curl", jax.vmap(curl(swirl))(pts)[0])
    harmonic = lambda p: p[0] ** 2 - p[1] ** 2
    print("laplacian of a harmonic function", jax.vmap(laplacian(harmonic))(pts))

    t = jnp.linspace(0, 2, 20)
    truth = jnp.array([1.5, 0.8, 0.3])
    model = lambda p: p[0] * jnp.exp(-p[1] * t) + p[2]
    fit, losses = jax.jit(gauss_newton, static_argnums=(0,))(lambda p: model(p) - model(truth), jnp.ones(3))
    print(f"gauss-newton: loss {losses[0]:.3f} -> {losses[-1]:.1e}, error {jnp.abs(fit - truth).max():.1e}")

    params = {"loc": jnp.array(0.5), "log_scale": jnp.array(0.0)}
    log_prob = lambda p, x: -0.5 * ((x - p["loc"]) / jnp.exp(p["log_scale"])) ** 2 - p["log_scale"]
    fvp = fisher_vector_product(log_prob, params, jax.tree.map(jnp.ones_like, params), jax.random.normal(key, (500,)))
    print("fisher-vector product", {k: v.shape for k, v in fvp.items()})

    nested = jax.jit(jax.grad(lambda a: jax.hessian(lambda b: power_series(a * b, 8))(1.0)))(0.5)
    print(f"derivative through a checkpointed hessian {nested:.4f}")
    value, aux = jax.jacrev(lambda p: (jnp.outer(p, p), p.sum()), has_aux=True)(jnp.arange(2.0))
    print("jacrev with aux", value.shape, aux)


def main():
    key = jax.random.PRNGKey(2024)
    keys = jax.random.split(key, 4)
    check_rules(keys[0])
    deep_equilibrium(keys[1])
    remat_network(keys[2])
    second_order_demo(keys[3])


if __name__ == "__main__":
    main()
