"""Differences, gradients, integrals, interpolation and convolution along an axis."""
import operator

from _jitlens import core, prims as p

from . import _low
from ._creation import asarray
from ._join import concatenate
from ._manipulate import flip, index_tuple, moveaxis, ravel
from ._ufuncs import apply

_PI = 3.141592653589793


@core.jit(static_argnames=("n", "axis"))
def diff(a, n=1, axis=-1, prepend=None, append=None):
    arr = core.arraylike("diff", a)
    n = core.concrete_index(n, "'n' argument of jnp.diff")
    axis = core.concrete_index(axis, "'axis' argument of jnp.diff")
    if n == 0:
        return arr
    if n < 0:
        raise ValueError(f"order must be non-negative but got {n}")
    if arr.ndim == 0:
        raise ValueError(f"diff requires input that is at least one dimensional; got {a}")
    axis = core.canonical_axis(axis, arr.ndim)

    def beside(x):
        x = core.arraylike("diff", x)
        return _low.broadcast_to(x, arr.shape[:axis] + (1,) + arr.shape[axis + 1:]) if x.ndim == 0 else x
    parts = [] if prepend is None else [beside(prepend)]
    parts.append(arr)
    if append is not None:
        parts.append(beside(append))
    if len(parts) > 1:
        arr = concatenate(parts, axis)
    before, after = [slice(None)] * arr.ndim, [slice(None)] * arr.ndim
    before[axis], after[axis] = slice(None, -1), slice(1, None)
    before, after = tuple(before), tuple(after)
    name = "not_equal" if arr.dtype == bool else "subtract"
    for _ in range(n):
        arr = apply(name, arr[after], arr[before])
    return arr


@core.jit
def ediff1d(ary, to_end=None, to_begin=None):
    arr = ravel(core.arraylike("ediff1d", ary))
    result = p.sub(arr[1:], arr[:-1])
    if to_begin is not None:
        to_begin = core.arraylike("ediff1d", to_begin)
        result = concatenate((ravel(core.convert(to_begin, arr.dtype)), result))
    if to_end is not None:
        to_end = core.arraylike("ediff1d", to_end)
        result = concatenate((result, ravel(core.convert(to_end, arr.dtype))))
    return result


@core.jit(static_argnames=("axis", "edge_order"))
def gradient(f, *varargs, axis=None, edge_order=None):
    if edge_order is not None:
        raise NotImplementedError("The 'edge_order' argument to jnp.gradient is not supported.")
    a, *spacing = core.promote_dtypes_inexact(f, *varargs)
    axes = tuple(range(a.ndim)) if axis is None else tuple(core.canonical_axis(i, a.ndim) for i in index_tuple(axis))
    if not axes:
        return []
    if min(a.shape[i] for i in axes) < 2:
        raise ValueError("Shape of array too small to calculate a numerical gradient, at least 2 elements are required.")
    if not spacing:
        steps = [1.0] * len(axes)
    elif len(spacing) == 1:
        steps = spacing * len(axes)
    elif len(spacing) == len(axes):
        steps = spacing
    else:
        raise TypeError(f"Invalid number of spacing arguments {len(spacing)} for axis={axis}")
    found = [_gradient(a, step, axis) for axis, step in zip(axes, steps)]
    return found[0] if len(axes) == 1 else found


def _gradient(a, h, axis):
    def part(x, start, stop):
        return _low.slice_in_dim(x, start, stop, axis=axis)
    upper = part(a, 1, 2) - part(a, 0, 1)
    lower = part(a, -1, None) - part(a, -2, -1)
    if core.ndim(h) == 0:
        inner = (part(a, 2, None) - part(a, None, -2)) * 0.5 / h
        lower = lower / h
        upper = upper / h
    elif h.ndim == 1:
        if h.shape[0] != a.shape[axis]:
            raise ValueError("Spacing arrays must have the same length as the dimension along which the gradient is calculated.")
        shape = [1] * a.ndim
        shape[axis] = h.shape[0]
        h = _low.reshape(h, tuple(shape))
        upper = upper / (part(h, 1, 2) - part(h, 0, 1))
        lower = lower / (part(h, -1, None) - part(h, -2, -1))
        left = part(h, 1, -1) - part(h, 0, -2)
        right = part(h, 2, None) - part(h, 1, -1)
        first = -right / (left * (left + right))
        second = (right - left) / (left * right)
        third = left / (right * (left + right))
        inner = first * part(a, 0, -2) + second * part(a, 1, -1) + third * part(a, 2, None)
    else:
        raise ValueError("Spacing arrays must be 1D arrays or scalars.")
    return concatenate((upper, inner, lower), axis=axis)


@core.jit(static_argnames=("axis",))
def trapezoid(y, x=None, dx=1.0, axis=-1):
    if x is None:
        y, = core.promote_dtypes_inexact(core.arraylike("trapezoid", y))
        dx = asarray(dx)
        if dx.ndim > 0:
            dx = moveaxis(_low.expand_dims(dx, range(y.ndim - dx.ndim)), axis, -1)
    else:
        y, x = core.promote_dtypes_inexact(*core.arraylike("trapezoid", y, x))
        dx = diff(x) if x.ndim == 1 else moveaxis(diff(x, axis=axis), axis, -1)
    y = moveaxis(y, axis, -1)
    if dx.ndim == 0 or dx.shape[-1] == 1:
        step = dx if dx.ndim == 0 else dx[..., 0]
        return step * (y.sum(-1) - 0.5 * (y[..., 0] + y[..., -1]))
    return 0.5 * (dx * (y[..., 1:] + y[..., :-1])).sum(-1)


@core.jit(static_argnames=("axis",))
def unwrap(p, discont=None, axis=-1, period=2 * _PI):
    from ._elementwise import floor_divide, mod
    from ._nan_reductions import cumsum
    x = core.arraylike("unwrap", p)
    x, period = core.promote_dtypes(x, period)
    if x.dtype.kind == "c":
        raise ValueError("jnp.unwrap does not support complex inputs.")
    if x.shape[axis] == 0:
        return x
    if discont is None:
        discont = period / 2
    interval = floor_divide(period, 2) if _low.is_kind(x.dtype, "integer") else period / 2
    steps = diff(x, axis=axis)
    wrapped = mod(steps + interval, period) - interval
    wrapped = _low.where((wrapped == -interval) & (steps > 0), interval, wrapped)
    correction = _low.where(apply("absolute", steps) < discont, 0, wrapped - steps)
    first = _low.slice_in_dim(x, 0, 1, axis=axis)
    rest = _low.slice_in_dim(x, 1, None, axis=axis) + cumsum(correction, axis=axis)
    return concatenate((first, rest), axis=axis)


def interp(x, xp, fp, left=None, right=None, period=None):
    static = [name for name, value in (("left", left), ("right", right)) if value is None or isinstance(value, str)]
    if period is None:
        static.append("period")
    return core.jit(_interp, static_argnames=tuple(static))(x, xp, fp, left, right, period)


def _extrapolates(name, value):
    if not isinstance(value, str):
        return False
    if value != "extrapolate":
        raise ValueError(f"the only valid string value of `{name}` is 'extrapolate', but got: {value!r}")
    return True


def _interp(x, xp, fp, left=None, right=None, period=None):
    from ._elementwise import remainder
    from ._rounding import clip
    from ._sorting import searchsorted
    x, xp, fp = core.arraylike("interp", x, xp, fp)
    if xp.shape != fp.shape or xp.ndim != 1:
        raise ValueError("xp and fp must be one-dimensional arrays of equal size")
    x, xp = core.promote_dtypes_inexact(x, xp)
    fp, = core.promote_dtypes_inexact(fp)
    on_left, on_right = _extrapolates("left", left), _extrapolates("right", right)
    if x.dtype.kind == "c":
        raise ValueError("jnp.interp: complex x values not supported.")
    if period is not None:
        if core.ndim(period) != 0:
            raise ValueError(f"period must be a scalar; got {period}")
        period = apply("absolute", period)
        x, xp = remainder(x, period), remainder(xp, period)
        xp, fp = p.sort(xp, fp, dimension=0, is_stable=True, num_keys=1)
        xp = concatenate([xp[-1:] - period, xp, xp[:1] + period])
        fp = concatenate([fp[-1:], fp, fp[:1]])
    i = clip(searchsorted(xp, x, side="right"), 1, xp.shape[0] - 1)
    rise = fp[i] - fp[i - 1]
    run = xp[i] - xp[i - 1]
    delta = x - xp[i - 1]
    flat = p.le(p.abs(run), core.constant(core.spacing_of_eps(xp.dtype), xp.dtype))
    f = _low.where(flat, fp[i - 1], fp[i - 1] + (delta / _low.where(flat, 1, run)) * rise)
    if not on_left:
        value = fp[0] if left is None else left
        if period is None:
            f = _low.where(x < xp[0], value, f)
    if not on_right:
        value = fp[-1] if right is None else right
        if period is None:
            f = _low.where(x > xp[-1], value, f)
    return f


@core.jit(static_argnames=("mode", "op", "precision", "preferred_element_type"))
def _conv(x, y, mode, op, precision, preferred_element_type=None):
    from jax import lax
    if x.ndim != 1 or y.ndim != 1:
        raise ValueError(f"{op}() only support 1-dimensional inputs.")
    x, y = core.promote_dtypes_inexact(x, y) if preferred_element_type is None else core.promote_dtypes(x, y)
    if x.shape[0] == 0 or y.shape[0] == 0:
        raise ValueError(f"{op}: inputs cannot be empty, got shapes {x.shape} and {y.shape}.")
    order = slice(None)
    if op == "correlate":
        from ._elementwise import conj
        y = conj(y)
        if x.shape[0] < y.shape[0]:
            x, y = y, x
            order = slice(None, None, -1)
    else:
        if x.shape[0] < y.shape[0]:
            x, y = y, x
        y = flip(y)
    size = y.shape[0]
    if mode == "valid":
        padding = [(0, 0)]
    elif mode == "same":
        padding = [(size // 2, size - size // 2 - 1)]
    elif mode == "full":
        padding = [(size - 1, size - 1)]
    else:
        raise ValueError("mode must be one of ['full', 'same', 'valid']")
    result = lax.conv_general_dilated(x[None, None, :], y[None, None, :], (1,), padding, precision=precision,
                                      preferred_element_type=preferred_element_type)
    return result[0, 0, order]


@core.jit(static_argnames=("mode", "precision", "preferred_element_type"))
def convolve(a, v, mode="full", *, precision=None, preferred_element_type=None):
    a, v = core.arraylike("convolve", a, v)
    return _conv(a, v, mode=mode, op="convolve", precision=precision, preferred_element_type=preferred_element_type)


@core.jit(static_argnames=("mode", "precision", "preferred_element_type"))
def correlate(a, v, mode="valid", *, precision=None, preferred_element_type=None):
    a, v = core.arraylike("correlate", a, v)
    return _conv(a, v, mode=mode, op="correlate", precision=precision, preferred_element_type=preferred_element_type)
