"""Softmax and its relatives, standardization, one-hot codes."""
import functools
import math

from _jitlens import core, prims as p

from .. import numpy as jnp
from .._custom_jvp import custom_jvp


def logsumexp(a, axis=None, b=None, keepdims=False, return_sign=False, where=None):
    from ..lax._shapes import expand_dims
    if where is not None:
        a = jnp.where(where, a, 0)
    if b is not None:
        a, b = core.promote_inexact("logsumexp", a, b)
        a = jnp.where(b != 0, a, -math.inf)
    else:
        a, = core.promote_inexact("logsumexp", a)
    axes = _axes(a, axis)
    largest = jnp.max(a.real, axis=axes, keepdims=keepdims, where=where, initial=-math.inf)
    largest = core.stop_gradient(p.select_n(jnp.isfinite(largest), core.full_like(largest, 0), largest))
    spread = largest if keepdims else expand_dims(largest, axes)
    scaled = p.exp(p.sub(a, spread.astype(a.dtype)))
    if b is not None:
        scaled = p.mul(scaled, b)
    total = scaled.sum(axis=axes, keepdims=keepdims, where=where)
    sign = p.sign(total)
    is_complex = core.dtype_kind(a.dtype) == "complex"
    if return_sign or not is_complex:
        total = abs(total)
    out = p.add(p.log(total), largest.astype(total.dtype))
    if return_sign:
        return out, sign
    if b is not None and core.dtype_kind(out.dtype) != "complex":
        out = jnp.where(sign < 0, jnp.array(math.nan, dtype=out.dtype), out)
    return out


def _axes(a, axis):
    """The reduced axes as a tuple of nonnegative ints."""
    if axis is None:
        return tuple(range(a.ndim))
    several = isinstance(axis, (tuple, list)) or core.is_numpy_array(axis)
    for one in axis if several else (axis,):
        if isinstance(one, str):
            core.axis_frame_size(one)   # raises where the name is not bound
    if several:
        return tuple([core.canonical_axis(i, a.ndim) for i in axis])
    return (core.canonical_axis(core.index(axis), a.ndim),)


@core.jit(static_argnames=("axis", "keepdims"))
def logmeanexp(x, axis=None, where=None, keepdims=False):
    lse = logsumexp(x, axis=axis, where=where, keepdims=keepdims)
    return lse - jnp.log(_count(x, axis, where, keepdims, lse.dtype))


def _count(x, axis, where, keepdims, dtype):
    """How many elements a reduction takes."""
    if where is not None:
        return jnp.sum(jnp.broadcast_to(where, core.shape(x)), axis=axis, dtype=dtype, keepdims=keepdims)
    size = 1
    for i in _axes(core.asarray(x), axis):
        size *= core.shape(x)[i]
    return core.convert(size, dtype)


@core.jit(static_argnames=("axis",))
def log_softmax(x, axis=-1, where=None):
    x = core.arraylike("log_softmax", x)
    largest = jnp.max(x, axis, where=where, initial=-math.inf, keepdims=True)
    safe = x if where is None else jnp.where(where, x, -math.inf)
    shifted = safe - core.stop_gradient(largest)
    total = jnp.log(jnp.sum(jnp.exp(shifted), axis, where=where, keepdims=True))
    found = shifted - total
    return found if where is None else jnp.where(where, found, -math.inf)


def softmax(x, axis=-1, where=None):
    if core.config_read("jax_softmax_custom_jvp"):
        return _softmax(x, axis, where)
    return _softmax_plain(x, axis, where, -math.inf, core.stop_gradient)


@functools.partial(custom_jvp, nondiff_argnums=(1,))
def _softmax(x, axis=-1, where=None, initial=-math.inf):
    return _softmax_plain(x, axis, where, initial, lambda largest: largest)


def _softmax_plain(x, axis, where, initial, freeze):
    largest = jnp.max(x, axis, where=where, initial=initial, keepdims=True)
    safe = x if where is None else jnp.where(where, x, initial)
    unnormalized = jnp.exp(safe - freeze(largest))
    found = unnormalized / jnp.sum(unnormalized, axis, where=where, keepdims=True)
    return found if where is None else jnp.where(where, found, 0)


@_softmax.defjvp
def _softmax_jvp(axis, primals, tangents):
    x, where, initial = primals
    x_dot = tangents[0]
    y = _softmax(x, axis, where, initial)
    return y, y * (x_dot - (y * x_dot).sum(axis, where=where, keepdims=True))


@core.jit(static_argnames=("axis", "algorithm"))
def standardize(x, axis=-1, mean=None, variance=None, epsilon=1e-5, where=None, *, algorithm="fast"):
    core.check_arraylike("standardize", x)
    core.check_arraylike_or_none("standardize", mean, variance, where)
    if mean is None:
        mean = jnp.mean(x, axis, keepdims=True, where=where)
    if variance is None:
        if algorithm == "stable":
            variance = jnp.mean(jnp.square(jnp.subtract(x, mean)), axis, keepdims=True, where=where)
        elif algorithm == "fast":
            variance = jnp.mean(jnp.square(x), axis, keepdims=True, where=where) - jnp.square(mean)
            variance = jnp.clip(variance, 0)
        else:
            raise ValueError(f"Unknown algorithm '{algorithm}'. Expected 'fast' or 'stable'.")
    return jnp.subtract(x, mean) * p.rsqrt(variance + epsilon)


# ----------------------------------------------------------------------------------------------------------- one-hot

def one_hot(x, num_classes, *, dtype=None, axis=-1):
    num_classes = core.concrete_dim(num_classes, "The error arose in jax.nn.one_hot argument `num_classes`.")
    x = jnp.asarray(x)
    if core.dtype_kind(x.dtype) != "int":
        core.warn(f"jax.nn.one_hot input should be integer-typed; got dtype={x.dtype}", DeprecationWarning, stacklevel=2)
    return _one_hot(x, num_classes, dtype=core.default_float() if dtype is None else dtype, axis=axis)


@core.jit(static_argnames=("num_classes", "dtype", "axis"))
def _one_hot(x, num_classes, *, dtype, axis):
    from ..lax._shapes import broadcasted_iota, expand_dims
    try:
        position = core.canonical_axis(axis, x.ndim + 1)
    except TypeError:
        return _one_hot_over_name(x, num_classes, dtype, axis)
    shape = [1] * x.ndim
    shape.insert(position, num_classes)
    left = expand_dims(x, (core.index(axis),))
    return (left == broadcasted_iota(x.dtype, shape, position)).astype(dtype)


def _one_hot_over_name(x, num_classes, dtype, axis):
    """One class per device of a named axis."""
    from ..lax._parallel import axis_index, axis_size
    size = axis_size(axis)
    if num_classes != size:
        raise ValueError(f"Expected num_classes to match the size of axis {axis}, but {num_classes} != {size}") from None
    return jnp.asarray(x == axis_index(axis), dtype=dtype)
