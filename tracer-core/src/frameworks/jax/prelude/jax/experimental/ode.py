"""`jax.experimental.ode`: Dormand and Prince's method with steps of controlled size."""
from _jitlens import core

from .. import lax
from .. import numpy as jnp
from .._autodiff import vjp
from .._custom_vjp import closure_convert, custom_vjp
from ..flatten_util import ravel_pytree

_NODES = [1 / 5, 3 / 10, 4 / 5, 8 / 9, 1.0, 1.0, 0.0]
_STAGES = [
    [1 / 5, 0, 0, 0, 0, 0, 0],
    [3 / 40, 9 / 40, 0, 0, 0, 0, 0],
    [44 / 45, -56 / 15, 32 / 9, 0, 0, 0, 0],
    [19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729, 0, 0, 0],
    [9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656, 0, 0],
    [35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84, 0],
]
_FIFTH = [35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84, 0]
_ERROR = [35 / 384 - 1951 / 21600, 0, 500 / 1113 - 22642 / 50085, 125 / 192 - 451 / 720, -2187 / 6784 + 12231 / 42400,
          11 / 84 - 649 / 6300, -1 / 60]
_MIDDLE = [6025192743 / 30085553152 / 2, 0, 51252292925 / 65400821598 / 2, -2691868925 / 45128329728 / 2,
           187940372067 / 1594534317056 / 2, -1776094331 / 19743644256 / 2, 11237099 / 235043384 / 2]


def odeint(func, y0, t, *args, rtol=1.4e-8, atol=1.4e-8, mxstep=jnp.inf, hmax=jnp.inf):
    for arg in core.tree_leaves(args):
        if not isinstance(arg, core.Array) and not core.is_arraylike(arg):
            raise TypeError("The contents of odeint *args must be arrays or scalars, but got\n" + str(arg))
    if not jnp.issubdtype(t.dtype, jnp.floating):
        raise TypeError(f"t must be an array of floats, but got {t}.")
    converted, consts = closure_convert(func, y0, t[0], *args)
    return _odeint_wrapper(converted, rtol, atol, mxstep, hmax, y0, t, *args, *consts)


@core.jit(static_argnums=(0, 1, 2, 3, 4))
def _odeint_wrapper(func, rtol, atol, mxstep, hmax, y0, ts, *args):
    from .._vmap import vmap
    flat, unravel = ravel_pytree(y0)
    ys = _odeint(_raveled(func, unravel), rtol, atol, mxstep, hmax, flat, ts, *args)
    return vmap(unravel)(ys)


def _odeint(func, rtol, atol, mxstep, hmax, y0, ts, *args):
    return _solve(func, rtol, atol, mxstep, hmax, y0, ts, *args)


_odeint = custom_vjp(_odeint, nondiff_argnums=(0, 1, 2, 3, 4))


def _raveled(func, unravel):
    def flat_func(y, t, *args):
        return ravel_pytree(func(unravel(y), t, *args))[0]
    return flat_func


# ------------------------------------------------------------------------------------------------------------ steps

def _combine(weights, k):
    return jnp.dot(jnp.array(weights, k.dtype), k)


def _step(func, y, f, t, dt):
    """One step: the new value, its derivative, the error and the seven derivatives within the step."""
    def stage(i, k):
        at = t + dt * nodes[i - 1]
        return k.at[i, :].set(func(y + dt * jnp.dot(stages[i - 1, :], k), at))

    nodes, stages = jnp.array(_NODES, f.dtype), jnp.array(_STAGES, f.dtype)
    k = jnp.zeros((7, f.shape[0]), f.dtype).at[0, :].set(f)
    k = lax.fori_loop(1, 7, stage, k)
    return dt * _combine(_FIFTH, k) + y, k[-1], dt * _combine(_ERROR, k), k


def _error_ratio(error, rtol, atol, before, after):
    tolerance = atol + rtol * jnp.maximum(jnp.abs(before), jnp.abs(after))
    return jnp.sqrt(jnp.mean(jnp.square(jnp.abs(error / tolerance))))


def _next_size(last, ratio, safety=0.9, grow=10.0, shrink=0.2, order=5.0):
    shrink = jnp.where(ratio < 1, 1.0, shrink)
    factor = jnp.minimum(grow, jnp.maximum(ratio ** (-1.0 / order) * safety, shrink))
    return jnp.where(ratio == 0, last * grow, last * factor)


def _first_size(func, t0, y0, rtol, atol, f0, order=4):
    scale = atol + jnp.abs(y0) * rtol
    d0 = jnp.linalg.norm(y0 / scale)
    d1 = jnp.linalg.norm(f0 / scale)
    h0 = jnp.where((d0 < 1e-5) | (d1 < 1e-5), 1e-6, 0.01 * d0 / d1)
    f1 = func(y0 + h0 * f0, t0 + h0)
    d2 = jnp.linalg.norm((f1 - f0) / scale) / h0
    h1 = jnp.where((d1 <= 1e-15) & (d2 <= 1e-15), jnp.maximum(1e-6, h0 * 1e-3), (0.01 / jnp.maximum(d1, d2)) ** (1.0 / (order + 1.0)))
    return jnp.minimum(100.0 * h0, h1)


def _quartic(y0, y1, k, dt):
    """The coefficients, highest first, of the polynomial through both ends and the middle of a step."""
    f0, f1 = k[0], k[-1]
    middle = y0 + dt * _combine(_MIDDLE, k)
    a = -2.0 * dt * f0 + 2.0 * dt * f1 - 8.0 * y0 - 8.0 * y1 + 16.0 * middle
    b = 5.0 * dt * f0 - 3.0 * dt * f1 + 18.0 * y0 + 14.0 * y1 - 32.0 * middle
    c = -4.0 * dt * f0 + dt * f1 - 11.0 * y0 - 5.0 * y1 + 16.0 * middle
    return jnp.stack([a, b, c, dt * f0, y0])


def _solve(func, rtol, atol, mxstep, hmax, y0, ts, *args):
    def derivative(y, t):
        return func(y, t, *args)

    def to_time(carry, target):
        def unfinished(state):
            i, _, _, t, dt, _, _ = state
            return (t < target) & (i < mxstep) & (dt > 0)

        def advance(state):
            i, y, f, t, dt, last_t, coefficients = state
            new_y, new_f, error, k = _step(derivative, y, f, t, dt)
            ratio = _error_ratio(error, rtol, atol, y, new_y)
            size = jnp.clip(_next_size(dt, ratio), min=0.0, max=hmax)
            taken = [i + 1, new_y, new_f, t + dt, size, t, _quartic(y, new_y, k, dt)]
            kept = [i + 1, y, f, t, size, last_t, coefficients]
            return [jnp.where(ratio <= 1.0, new, old) for new, old in zip(taken, kept)]

        _, *carry = lax.while_loop(unfinished, advance, [0] + carry)
        _, _, t, _, last_t, coefficients = carry
        y = jnp.polyval(coefficients, ((target - last_t) / (t - last_t)).astype(coefficients.dtype))
        return carry, y

    f0 = derivative(y0, ts[0])
    dt = jnp.clip(_first_size(derivative, ts[0], y0, rtol, atol, f0), min=0.0, max=hmax)
    coefficients = jnp.array([y0] * 5)
    carry = [y0, f0, ts[0], dt, ts[0], coefficients]
    _, ys = lax.scan(to_time, carry, ts[1:])
    return jnp.concatenate((y0[None], ys))


# --------------------------------------------------------------------------------------------------------- backward

def _odeint_fwd(func, rtol, atol, mxstep, hmax, y0, ts, *args):
    ys = _odeint(func, rtol, atol, mxstep, hmax, y0, ts, *args)
    return ys, (ys, ts, args)


def _odeint_rev(func, rtol, atol, mxstep, hmax, residuals, g):
    ys, ts, args = residuals

    def backward(state, t, *args):
        """The derivative, backward in time, of the value and of the cotangents of the value, the time and the arguments."""
        y, y_bar, *_ = state
        y_dot, f_vjp = vjp(func, y, -t, *args)
        return (-y_dot, *f_vjp(y_bar))

    def interval(carry, i):
        y_bar, t0_bar, args_bar = carry
        t_bar = jnp.dot(func(ys[i], ts[i], *args), g[i], precision=lax.Precision.HIGHEST).real
        t0_bar = t0_bar - t_bar
        _, y_bar, t0_bar, args_bar = odeint(backward, (ys[i], y_bar, t0_bar, args_bar), jnp.array([-ts[i], -ts[i - 1]]), *args,
                                            rtol=rtol, atol=atol, mxstep=mxstep, hmax=hmax)
        y_bar, t0_bar, args_bar = core.tree_map(lambda x: x[1], (y_bar, t0_bar, args_bar))
        y_bar = y_bar + g[i - 1]
        return (y_bar, t0_bar, args_bar), t_bar

    start = (g[-1], jnp.zeros_like(ts[0]), core.tree_map(jnp.zeros_like, args))
    (y_bar, t0_bar, args_bar), t_bars = lax.scan(interval, start, jnp.arange(len(ts) - 1, 0, -1))
    return (y_bar, jnp.concatenate([t0_bar[None], t_bars[::-1]]), *args_bar)


_odeint.defvjp(_odeint_fwd, _odeint_rev)
