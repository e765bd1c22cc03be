"""Functions whose derivative is given by hand."""
import functools

import jax
import jax.numpy as jnp
from jax import lax


# --- custom_jvp -------------------------------------------------------------

@jax.custom_jvp
def log1pexp(x):
    """log(1 + exp(x)), without the nan of the naive gradient."""
    return jnp.where(x > 30.0, x, jnp.log1p(jnp.exp(jnp.minimum(x, 30.0))))


@log1pexp.defjvp
def _log1pexp_jvp(primals, tangents):
    (x,), (x_dot,) = primals, tangents
    return log1pexp(x), lax.logistic(x) * x_dot


@functools.partial(jax.custom_jvp, nondiff_argnums=(1,))
def safe_norm(x, axis=-1):
    """Euclidean norm with the gradient zero at zero."""
    return jnp.sqrt(jnp.sum(x * x, axis=axis))


@safe_norm.defjvp
def _safe_norm_jvp(axis, primals, tangents):
    (x,), (dx,) = primals, tangents
    out = safe_norm(x, axis)
    dot = jnp.sum(x * dx, axis=axis)
    return out, jnp.where(out > 0, dot / jnp.where(out > 0, out, 1.0), 0.0)


@jax.custom_jvp
def xlogy_like(x, y):
    return jnp.where(x == 0, 0.0, x * jnp.log(jnp.where(x == 0, 1.0, y)))


xlogy_like.defjvps(
    lambda x_dot, ans, x, y: x_dot * jnp.where(x == 0, 0.0, jnp.log(y)),
    lambda y_dot, ans, x, y: y_dot * x / y,
)


# --- custom_vjp -------------------------------------------------------------

@functools.partial(jax.custom_vjp, nondiff_argnums=(0, 1))
def clip_gradient(lo, hi, x):
    """Identity whose cotangent is clipped."""
    return x


def _clip_fwd(lo, hi, x):
    return x, None


def _clip_bwd(lo, hi, _, g):
    return (jnp.clip(g, lo, hi),)


clip_gradient.defvjp(_clip_fwd, _clip_bwd)


@jax.custom_vjp
def quantize(x, step):
    """Round to a grid, with the straight-through estimator."""
    return jnp.round(x / step) * step


def _quantize_fwd(x, step):
    q = jnp.round(x / step)
    return q * step, (x / step - q, step)


def _quantize_bwd(res, g):
    remainder, step = res
    return g, jnp.sum(-remainder * g).astype(jnp.result_type(step))


quantize.defvjp(_quantize_fwd, _quantize_bwd)


@jax.custom_vjp
def softmax_cross_entropy(logits, labels):
    """Mean loss over the batch; saves the probabilities only."""
    logp = jax.nn.log_softmax(logits)
    return -jnp.take_along_axis(logp, labels[:, None], axis=1).mean()


def _sce_fwd(logits, labels):
    logp = jax.nn.log_softmax(logits)
    loss = -jnp.take_along_axis(logp, labels[:, None], axis=1).mean()
    return loss, (jnp.exp(logp), labels)


def _sce_bwd(res, g):
    probs, labels = res
    n = labels.shape[0]
    d = probs.at[jnp.arange(n), labels].add(-1.0)
    return g * d / n, None


softmax_cross_entropy.defvjp(_sce_fwd, _sce_bwd)


# --- implicit differentiation -----------------------------------------------

@functools.partial(jax.custom_vjp, nondiff_argnums=(0,))
def fixed_point(f, params, z0):
    """Solve z = f(params, z) by iteration."""

    def cond(carry):
        z_prev, z, i = carry
        return (jnp.max(jnp.abs(z - z_prev)) > 1e-6) & (i < 200)

    def body(carry):
        _, z, i = carry
        return z, f(params, z), i + 1

    _, z, _ = lax.while_loop(cond, body, (z0, f(params, z0), 0))
    return z


def _fixed_point_fwd(f, params, z0):
    z = fixed_point(f, params, z0)
    return z, (params, z)


def _fixed_point_bwd(f, res, z_bar):
    params, z = res
    _, vjp_z = jax.vjp(lambda z: f(params, z), z)
    # (I - df/dz)^T w = z_bar, again as a fixed point
    w = fixed_point(lambda zb, w: zb + vjp_z(w)[0], z_bar, z_bar)
    _, vjp_params = jax.vjp(lambda p: f(p, z), params)
    return vjp_params(w)[0], jnp.zeros_like(z)


fixed_point.defvjp(_fixed_point_fwd, _fixed_point_bwd)


def sqrtm_newton(a, iters=12):
    """Matrix square root by coupled Newton-Schulz iterations."""
    scale = jnp.linalg.norm(a)
    eye = jnp.eye(a.shape[0], dtype=a.dtype)

    def body(_, carry):
        y, z = carry
        t = 0.5 * (3.0 * eye - z @ y)
        return y @ t, t @ z

    y, _ = lax.fori_loop(0, iters, body, (a / scale, eye))
    return y * jnp.sqrt(scale)


@jax.custom_jvp
def sqrtm(a):
    return sqrtm_newton(a)


@sqrtm.defjvp
def _sqrtm_jvp(primals, tangents):
    (a,), (da,) = primals, tangents
    s = sqrtm(a)
    n = a.shape[0]
    # s ds + ds s = da as one linear system
    eye = jnp.eye(n, dtype=a.dtype)
    ds = jnp.linalg.solve(jnp.kron(s, eye) + jnp.kron(eye, s.T), da.reshape(-1))
    return s, ds.reshape(n, n)
