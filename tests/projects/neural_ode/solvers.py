"""Explicit Runge-Kutta solvers on pytrees of state."""
from functools import partial
from typing import Callable

import jax
import jax.numpy as jnp
from jax import lax
from jax.flatten_util import ravel_pytree


def tree_axpy(a, x, y):
    """a * x + y, leaf by leaf."""
    return jax.tree.map(lambda xi, yi: a * xi + yi, x, y)


def euler_step(f: Callable, y, t, h, *args):
    return tree_axpy(h, f(y, t, *args), y)


def rk4_step(f: Callable, y, t, h, *args):
    k1 = f(y, t, *args)
    k2 = f(tree_axpy(h / 2, k1, y), t + h / 2, *args)
    k3 = f(tree_axpy(h / 2, k2, y), t + h / 2, *args)
    k4 = f(tree_axpy(h, k3, y), t + h, *args)
    return jax.tree.map(lambda y, a, b, c, d: y + h / 6 * (a + 2 * b + 2 * c + d), y, k1, k2, k3, k4)


def odeint_fixed(f, y0, ts, *args, step=rk4_step, substeps=1):
    """States at all times ts, stacked along a new leading axis. ts[0] is the time of y0."""

    def interval(y, t_pair):
        t0, t1 = t_pair
        h = (t1 - t0) / substeps
        y = lax.fori_loop(0, substeps, lambda i, y: step(f, y, t0 + i * h, h, *args), y)
        return y, y

    def interval_single(y, t_pair):
        t0, t1 = t_pair
        y = step(f, y, t0, t1 - t0, *args)
        return y, y

    body = interval_single if substeps == 1 else interval
    _, ys = lax.scan(body, y0, (ts[:-1], ts[1:]))
    return jax.tree.map(lambda first, rest: jnp.concatenate([first[None], rest]), y0, ys)


# Dormand-Prince 5(4) tableau
_C = jnp.array([1 / 5, 3 / 10, 4 / 5, 8 / 9, 1.0, 1.0])
_A = [
    [1 / 5],
    [3 / 40, 9 / 40],
    [44 / 45, -56 / 15, 32 / 9],
    [19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729],
    [9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656],
    [35 / 384, 0.0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84],
]
_B = jnp.array([35 / 384, 0.0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84, 0.0])
_E = jnp.array([71 / 57600, 0.0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40])


def _dopri_step(f, y, t, h):
    ks = jnp.zeros((7,) + y.shape, y.dtype).at[0].set(f(y, t))
    for i, row in enumerate(_A, start=1):
        yi = y + h * jnp.tensordot(jnp.array(row, y.dtype), ks[:i], axes=1)
        ks = ks.at[i].set(f(yi, t + _C[i - 1] * h))
    return y + h * jnp.tensordot(_B, ks, axes=1), h * jnp.tensordot(_E, ks, axes=1)


def odeint_adaptive(f, y0, t0, t1, *args, rtol=1e-5, atol=1e-6, max_steps=500):
    """Integrate from t0 to t1 with step size control. Returns (y1, number of steps)."""
    flat0, unravel = ravel_pytree(y0)

    def flat_f(y, t):
        return ravel_pytree(f(unravel(y), t, *args))[0]

    def cond(state):
        i, t, _, _ = state
        return (t < t1) & (i < max_steps)

    def body(state):
        i, t, h, y = state
        h = jnp.minimum(h, t1 - t)
        y_new, err = _dopri_step(flat_f, y, t, h)
        scale = atol + rtol * jnp.maximum(jnp.abs(y), jnp.abs(y_new))
        ratio = jnp.sqrt(jnp.mean((err / scale) ** 2))
        accept = ratio <= 1.0
        factor = jnp.clip(0.9 * jnp.where(ratio == 0, 1e-10, ratio) ** -0.2, 0.2, 5.0)
        t = jnp.where(accept, t + h, t)
        y = jnp.where(accept, y_new, y)
        return i + 1, t, h * factor, y

    init = (0, jnp.asarray(t0, flat0.dtype), jnp.asarray(0.05, flat0.dtype), flat0)
    steps, _, _, y1 = lax.while_loop(cond, body, init)
    return unravel(y1), steps


@partial(jax.custom_vjp, nondiff_argnums=(0, 4))
def odeint_adjoint(f, params, y0, ts, substeps):
    """Final state at ts[-1], with O(1) memory gradients by the adjoint method."""
    return jax.tree.map(lambda y: y[-1], odeint_fixed(f, y0, ts, params, substeps=substeps))


def _adjoint_fwd(f, params, y0, ts, substeps):
    y1 = odeint_adjoint(f, params, y0, ts, substeps)
    return y1, (params, y1, ts)


def _adjoint_bwd(f, substeps, res, g):
    params, y1, ts = res

    def aug_dynamics(state, t, params):
        y, adj, _ = state
        dy, vjp = jax.vjp(lambda y, p: f(y, -t, p), y, params)
        adj_y, adj_p = vjp(adj)
        return jax.tree.map(jnp.negative, dy), adj_y, adj_p

    aug0 = (y1, g, jax.tree.map(jnp.zeros_like, params))
    path = odeint_fixed(aug_dynamics, aug0, -ts[::-1], params, substeps=substeps)
    _, grad_y0, grad_params = jax.tree.map(lambda x: x[-1], path)
    return grad_params, grad_y0, jnp.zeros_like(ts)


odeint_adjoint.defvjp(_adjoint_fwd, _adjoint_bwd)
