"""Reductions that leave out NaNs, and cumulative ones."""
from _jitlens import core, prims as p

from . import _low, _reductions
from ._low import where as _where

_NAN = float("nan")


def _nan_reduction(name, reduction, fill, a, axis, keepdims, where, nan_if_all_nan=False, **rest):
    a = core.arraylike(name, a)
    where = _reductions.check_where(name, where)
    if not _low.is_kind(a.dtype, "inexact"):
        return reduction(a, axis=axis, keepdims=keepdims, where=where, **rest)
    filled = _where(p.ne(a, a), _reductions.identity_of(a.dtype, fill), a)
    result = reduction(filled, axis=axis, keepdims=keepdims, where=where, **rest)
    if not nan_if_all_nan:
        return result
    return _where(_reductions.all(p.ne(a, a), axis=axis, keepdims=keepdims), core.scalar_like(a, _NAN), result)


@core.jit(static_argnames=("axis", "keepdims"))
def nanmin(a, axis=None, out=None, keepdims=False, initial=None, where=None):
    return _nan_reduction("nanmin", _reductions.min, float("inf"), a, axis, keepdims, where, initial is None, out=out, initial=initial)


@core.jit(static_argnames=("axis", "keepdims"))
def nanmax(a, axis=None, out=None, keepdims=False, initial=None, where=None):
    return _nan_reduction("nanmax", _reductions.max, float("-inf"), a, axis, keepdims, where, initial is None, out=out, initial=initial)


@core.jit(static_argnames=("axis", "dtype", "keepdims"))
def nansum(a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=None):
    if dtype is not None:
        dtype = core.user_dtype(dtype, "nanprod")
    return _nan_reduction("nansum", _reductions.sum, 0, a, axis, keepdims, where, dtype=dtype, out=out, initial=initial)


@core.jit(static_argnames=("axis", "dtype", "keepdims"))
def nanprod(a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=None):
    if dtype is not None:
        dtype = core.user_dtype(dtype, "nanprod")
    return _nan_reduction("nanprod", _reductions.prod, 1, a, axis, keepdims, where, dtype=dtype, out=out, initial=initial)


@core.jit(static_argnames=("axis", "dtype", "keepdims"))
def nanmean(a, axis=None, dtype=None, out=None, keepdims=False, where=None):
    a = core.arraylike("nanmean", a)
    where = _reductions.check_where("nanmean", where)
    if out is not None:
        raise NotImplementedError("The 'out' argument to jnp.nanmean is not supported.")
    if a.dtype == bool or _low.is_kind(a.dtype, "integer"):
        return _reductions.mean(a, axis, dtype, out, keepdims, where=where)
    dtype = a.dtype if dtype is None else core.user_dtype(dtype, "mean")
    present = p.not_(p.ne(a, a))
    number = _reductions.sum(present, axis=axis, dtype=dtype, keepdims=keepdims, where=where)
    return p.div(nansum(a, axis, dtype=dtype, keepdims=keepdims, where=where), number)


@core.jit(static_argnames=("axis", "dtype", "keepdims"))
def nanvar(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, where=None, mean=None):
    a = core.arraylike("nanvar", a)
    where = _reductions.check_where("nanvar", where)
    if dtype is not None:
        dtype = core.user_dtype(dtype, "nanvar")
    if out is not None:
        raise NotImplementedError("The 'out' argument to jnp.nanvar is not supported.")
    compute, dtype = _reductions._var_dtypes(a.dtype, dtype)
    a = core.convert(a, compute)
    if mean is None:
        mean = nanmean(a, axis, dtype=compute, keepdims=True, where=where)
    else:
        mean = core.convert(core.arraylike("nanvar", mean), compute)
    centered = _where(p.ne(a, a), 0, p.sub(a, mean))
    if compute.kind == "c":
        centered = p.real(p.mul(centered, p.conj(centered, input_dtype=compute)))
    else:
        centered = p.square(centered)
    number = _reductions.sum(p.not_(p.ne(a, a)), axis=axis, keepdims=keepdims, where=where) - ddof
    too_few = p.le(number, core.full_like(number, 0, shape=()))
    total = _reductions.sum(centered, axis, keepdims=keepdims, where=where)
    total = _where(too_few, _NAN, total)
    divisor = _where(too_few, 1, number)
    return core.convert(p.div(total, core.convert(divisor, total.dtype)), dtype)


@core.jit(static_argnames=("axis", "dtype", "keepdims"))
def nanstd(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, where=None, mean=None):
    a = core.arraylike("nanstd", a)
    where = _reductions.check_where("nanstd", where)
    if dtype is not None:
        dtype = core.user_dtype(dtype, "nanstd")
    if out is not None:
        raise NotImplementedError("The 'out' argument to jnp.nanstd is not supported.")
    return p.sqrt(nanvar(a, axis=axis, dtype=dtype, ddof=ddof, keepdims=keepdims, where=where, mean=mean))


def cumulate(name, primitive, a, axis, dtype, out=None, fill=None, widen=False):
    a = core.arraylike(name, a)
    if out is not None:
        raise NotImplementedError(f"The 'out' argument to jnp.{name} is not supported")
    if axis is None or a.ndim == 0 and a.weak_type:     # a number of Python's is a row of one, an array of rank 0 is not
        a = _low.reshape(a, (a.size,))
    axis = core.canonical_axis(0 if axis is None else axis, a.ndim)
    if fill is not None:
        a = _where(p.ne(a, a), core.scalar_like(a, fill), a)
    if dtype is None:
        compute = result = _reductions.wider_integer(a.dtype) if widen or a.dtype == bool else a.dtype
    elif dtype == bool:
        result = core.canonical_dtype(bool)
        if a.dtype != result:
            a = a != 0
        compute = core.default_int()
    else:
        compute = result = core.user_dtype(dtype, name)
    a = core.convert(a, compute)
    return core.convert(primitive(a, axis=axis, reverse=False), result)


@core.jit(static_argnames=("axis", "dtype"))
def cumsum(a, axis=None, dtype=None, out=None):
    return cumulate("cumsum", p.cumsum, a, axis, dtype, out)


@core.jit(static_argnames=("axis", "dtype"))
def cumprod(a, axis=None, dtype=None, out=None):
    return cumulate("cumprod", p.cumprod, a, axis, dtype, out)


@core.jit(static_argnames=("axis", "dtype"))
def nancumsum(a, axis=None, dtype=None, out=None):
    return cumulate("nancumsum", p.cumsum, a, axis, dtype, out, fill=0)


@core.jit(static_argnames=("axis", "dtype"))
def nancumprod(a, axis=None, dtype=None, out=None):
    return cumulate("nancumprod", p.cumprod, a, axis, dtype, out, fill=1)


@core.jit(static_argnames=("axis", "dtype"))
def _cumsum_with_promotion(a, axis=None, dtype=None, out=None):
    return cumulate("_cumsum_with_promotion", p.cumsum, a, axis, dtype, out, widen=True)


def _cumulative(name, what, run, identity, x, axis, dtype, include_initial):
    x = core.arraylike(name, x)
    if x.ndim == 0:
        raise ValueError(f"The input must be non-scalar to take a cumulative {what}, however a scalar value or scalar array was given.")
    if axis is None:
        axis = 0
        if x.ndim > 1:
            raise ValueError(f"The input array has rank {x.ndim}, however axis was not set to an explicit value. "
                             "The axis argument is only optional for one-dimensional arrays.")
    axis = core.canonical_axis(axis, x.ndim)
    if dtype is not None:
        dtype = core.user_dtype(dtype, None)
    out = run(x, axis, dtype)
    if not include_initial:
        return out
    shape = tuple(1 if i == axis else size for i, size in enumerate(x.shape))
    return p.concatenate(core.full(shape, identity, out.dtype), out, dimension=axis)


def cumulative_sum(x, /, *, axis=None, dtype=None, include_initial=False):
    return _cumulative("cumulative_sum", "sum", lambda x, axis, dtype: _cumsum_with_promotion(x, axis=axis, dtype=dtype), 0,
                       x, axis, dtype, include_initial)


def cumulative_prod(x, /, *, axis=None, dtype=None, include_initial=False):
    return _cumulative("cumulative_prod", "product",
                       lambda x, axis, dtype: cumulate("cumulative_prod", p.cumprod, x, axis, dtype), 1,
                       x, axis, dtype, include_initial)
