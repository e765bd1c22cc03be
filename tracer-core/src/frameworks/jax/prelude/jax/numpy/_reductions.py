"""Reductions along axes: one driver, and what is built on it."""
import operator

from _jitlens import core, prims as p

from . import _low
from ._low import where as _where

# kind: (reducing primitive, binary primitive, the same two for bool, identity)
_SUM = ("reduce_sum", "add", "reduce_or", "or_", 0)
_PROD = ("reduce_prod", "mul", "reduce_and", "and_", 1)
_MAX = ("reduce_max", "max", "reduce_max", "max", float("-inf"))
_MIN = ("reduce_min", "min", "reduce_min", "min", float("inf"))
_AND = ("reduce_and", "and_", "reduce_and", "and_", True)
_OR = ("reduce_or", "or_", "reduce_or", "or_", False)
_XOR = ("reduce_xor", "xor", "reduce_xor", "xor", False)


def static_axes(axis):
    """An `axis=` argument made static: None, an int, or a tuple."""
    if axis is None:
        return None
    axis = core.concrete(axis, "The axis argument must be known statically.")
    try:
        return operator.index(axis)
    except TypeError:
        return tuple(a if isinstance(a, str) else operator.index(a) for a in axis)


def _dims(axis, ndim):
    """The positional axes, and all of them, named ones included."""
    if axis is None:
        axes = tuple(range(ndim))
        return axes, axes
    axes = axis if isinstance(axis, (tuple, list)) else (axis,)
    found = tuple(a if isinstance(a, str) else core.canonical_axis(a, ndim) for a in axes)
    if len(set(found)) != len(found):
        raise ValueError(f"duplicate value in 'axis': {axis}")
    return tuple(a for a in found if not isinstance(a, str)), found


def check_where(name, where):
    if where is None:
        return None
    where = core.arraylike(name, where)
    if where.dtype != bool:
        raise ValueError(f"jnp.{name}: where must be None or a boolean array; got where.dtype={where.dtype!r}.")
    return where


def identity_of(dtype, value):
    """The identity of a reduction as a scalar of `dtype`; infinities become the extremes that the dtype has."""
    if dtype == bool:
        return core.constant(value > 0, dtype)
    infinite = value in (float("inf"), float("-inf"))
    if infinite and dtype.kind in "iu" or infinite and _low.is_kind(dtype, "integer"):
        info = core.iinfo(dtype)
        value = info.min if value < 0 else info.max
    elif infinite and _low.is_kind(dtype, "floating") and not core.supports_inf(dtype):
        info = core.finfo(dtype)
        value = info.min if value < 0 else info.max
    return core.constant(value, dtype)


def wider_integer(dtype):
    """What sums of small integers and bools are computed in."""
    if dtype == bool:
        return core.default_int()
    if _low.is_kind(dtype, "unsigned"):
        wide = core.canonical_dtype("uint64")
        return wide if core.iinfo(dtype).bits < core.iinfo(wide).bits else dtype
    if _low.is_kind(dtype, "integer"):
        wide = core.default_int()
        return wide if core.iinfo(dtype).bits < core.iinfo(wide).bits else dtype
    return dtype


def upcast_half(dtype):
    return core.canonical_dtype("float32") if dtype == "float16" or dtype.name == "bfloat16" else dtype


def to_bool(x):
    if core.is_numpy() and x.dtype.kind == "c":
        return p.ne(x, core.scalar_like(x, 0))
    return core.convert(p.real(x) if x.dtype.kind == "c" else x, core.canonical_dtype(bool))


def _numeric(x):
    return core.promote_dtypes_numeric(x)[0]


def require_integer(x):
    if x.dtype != bool and not _low.is_kind(x.dtype, "integer"):
        raise ValueError(f"integer argument required; got dtype={x.dtype}")
    return x


def reduce(name, kind, a, axis, out=None, keepdims=False, initial=None, where=None, dtype=None, prepare=None,
           has_identity=True, widen=False, upcast=False):
    """The driver. `axis` is static already."""
    if core.is_array(keepdims) or core.is_array(widen):
        raise ValueError(f"Non-hashable static arguments are used in a jit function: {'keepdims' if core.is_array(keepdims) else 'promote_integers'}")
    if out is not None:
        raise NotImplementedError(f"The 'out' argument to jnp.{name} is not supported.")
    a = core.arraylike(name, a)
    where = check_where(name, where)
    if initial is None and not has_identity and where is not None:
        raise ValueError(f"reduction operation {name} does not have an identity, so to use a where mask one has to specify 'initial'")
    if prepare is not None:
        a = prepare(a)
    axes, all_axes = _dims(axis, a.ndim)
    if initial is None and not has_identity and 0 in [a.shape[axis] for axis in axes]:
        raise ValueError(f"zero-size array to reduction operation {name} which has no identity")
    if dtype is None:
        if widen:
            _low.check_whole_bytes(a.dtype)
        result_dtype = wider_integer(a.dtype) if widen else a.dtype
    else:
        result_dtype = core.user_dtype(dtype, name)
    compute = upcast_half(result_dtype) if upcast else result_dtype
    a = core.convert(a, compute)
    reducer, binary = kind[2:4] if compute == bool else kind[:2]
    if where is not None:
        a = _where(where, a, identity_of(compute, kind[4]))
    if axes == all_axes:
        result = getattr(p, reducer)(a, axes=axes)
    else:
        result = core.reduce_named(name, a, all_axes)
    if initial is not None:
        initial = core.convert(core.arraylike(name, initial), a.dtype)
        if initial.shape != ():
            raise ValueError(f"initial value must be a scalar. Got array of shape {initial.shape}")
        result = getattr(p, binary)(initial, result)
    if keepdims:
        result = _low.expand_dims(result, axes)
    return core.convert(result, result_dtype)


def sum(a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=None, promote_integers=True):
    return reduce("sum", _SUM, a, static_axes(axis), out, keepdims, initial, where, dtype, _numeric, widen=promote_integers,
                  upcast=dtype is None)


def prod(a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=None, promote_integers=True):
    return reduce("prod", _PROD, a, static_axes(axis), out, keepdims, initial, where, dtype, _numeric, widen=promote_integers,
                  upcast=dtype is None)


def max(a, axis=None, out=None, keepdims=False, initial=None, where=None):
    return reduce("max", _MAX, a, static_axes(axis), out, keepdims, initial, where, has_identity=False)


def min(a, axis=None, out=None, keepdims=False, initial=None, where=None):
    return reduce("min", _MIN, a, static_axes(axis), out, keepdims, initial, where, has_identity=False)


def amax(a, axis=None, out=None, keepdims=False, initial=None, where=None):
    return max(a, axis, out, keepdims, initial, where)


def amin(a, axis=None, out=None, keepdims=False, initial=None, where=None):
    return min(a, axis, out, keepdims, initial, where)


def all(a, axis=None, out=None, keepdims=False, *, where=None):
    return reduce("all", _AND, a, static_axes(axis), out, keepdims, where=where, prepare=to_bool)


def any(a, axis=None, out=None, keepdims=False, *, where=None):
    return reduce("any", _OR, a, static_axes(axis), out, keepdims, where=where, prepare=to_bool)


def _axis_size(a, axis):
    size = 1
    for one in axis if isinstance(axis, (tuple, list)) else (axis,):
        if isinstance(one, str):
            size *= core.named_axis_size(one)
        else:
            size *= a.shape[one]
    return size


def count(a, axis, keepdims, where, dtype):
    """How many elements take part in each result of a reduction, as an array of `dtype`."""
    if where is None:
        return core.convert(a.size if axis is None else _axis_size(a, axis), dtype)
    return sum(_low.broadcast_to(where, a.shape), axis, dtype=dtype, keepdims=keepdims)


def mean(a, axis=None, dtype=None, out=None, keepdims=False, *, where=None):
    axis = static_axes(axis)
    a = core.arraylike("mean", a)
    where = check_where("mean", where)
    if out is not None:
        raise NotImplementedError("The 'out' argument to jnp.mean is not supported.")
    if dtype is None:
        result_dtype = core.to_inexact_dtype(a.dtype)
        compute = upcast_half(result_dtype)
    else:
        result_dtype = compute = core.user_dtype(dtype, "mean")
    number = count(a, axis, keepdims, where, compute)
    total = sum(a, axis, dtype=compute, keepdims=keepdims, where=where)
    return core.convert(p.div(total, number, by_constant=True) if where is None else p.div(total, number), result_dtype)


def average(a, axis=None, weights=None, returned=False, keepdims=False):
    return _average(a, static_axes(axis), weights, returned, keepdims)


@core.jit(static_argnames=("axis", "returned", "keepdims"), inline=True)
def _average(a, axis=None, weights=None, returned=False, keepdims=False):
    axes = _low.axis_tuple(axis, core.ndim(a))
    if weights is None:
        a, = core.promote_dtypes_inexact(core.arraylike("average", a))
        result = mean(a, axis=axis, keepdims=keepdims)
        number = 1
        for i in axes:
            number *= a.shape[i]
        weights_sum = core.full((), number, result.dtype)
    else:
        a, weights = core.promote_dtypes_inexact(*core.arraylike("average", a, weights))
        if a.shape != weights.shape:
            if axis is None:
                raise ValueError("Axis must be specified when shapes of a and weights differ.")
            if weights.shape != tuple(a.shape[i] for i in axes):
                raise ValueError("Shape of weights must be consistent with shape of a along specified axis.")
            shape = tuple(size if i in axes else 1 for i, size in enumerate(a.shape))
            order = tuple(sorted(range(len(axes)), key=lambda i: axes[i]))
            in_order = order == tuple(range(weights.ndim))
            weights = p.reshape(weights, new_sizes=shape, dimensions=None if in_order else order)
        weights_sum = sum(weights, axis=axis, keepdims=keepdims)
        result = sum(a * weights, axis=axis, keepdims=keepdims) / weights_sum
    if not returned:
        return result
    return result, _low.broadcast_to(weights_sum, result.shape)


def _correction(ddof, correction):
    if correction is None:
        return ddof
    if not isinstance(ddof, int) or ddof != 0:
        raise ValueError("ddof and correction can't be provided simultaneously.")
    return correction


def var(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=None, mean=None, correction=None):
    correction = _correction(ddof, correction)
    a = core.arraylike("var", a)
    return _var(a, axis=static_axes(axis), dtype=dtype, out=out, correction=correction, keepdims=keepdims, where=where, a_mean=mean)


def _var_dtypes(have, dtype):
    """(dtype to compute in, dtype of the result)."""
    if dtype is not None:
        if have.kind == "c" and dtype.kind != "c":
            raise ValueError(
                "jax.numpy.var does not yet support real dtype parameters when computing the variance of an array of complex "
                "values. The semantics of numpy.var seem unclear in this case. Please comment on "
                "https://github.com/jax-ml/jax/issues/2283 if this behavior is important to you.")
        return upcast_half(dtype), dtype
    if not _low.is_kind(have, "inexact"):
        dtype = core.to_inexact_dtype(have)
        return upcast_half(dtype), dtype
    return upcast_half(have), core.finfo(have).dtype if have.kind == "c" else have


@core.jit(static_argnames=("axis", "dtype", "keepdims"))
def _var(a, *, axis=None, dtype=None, out=None, correction=0, keepdims=False, where=None, a_mean=None):
    where = check_where("var", where)
    if dtype is not None:
        dtype = core.user_dtype(dtype, "var")
    if out is not None:
        raise NotImplementedError("The 'out' argument to jnp.var is not supported.")
    compute, dtype = _var_dtypes(a.dtype, dtype)
    a = core.convert(a, compute)
    if a_mean is None:
        a_mean = mean(a, axis, dtype=compute, keepdims=True, where=where)
    else:
        a_mean = core.convert(core.arraylike("var", a_mean), compute)
    centered = p.sub(a, a_mean)
    if compute.kind == "c":
        centered = p.real(p.mul(centered, p.conj(centered, input_dtype=compute)))
        compute = centered.dtype
    else:
        centered = p.square(centered)
    number = count(a, axis, keepdims, where, compute)
    number = p.sub(number, core.convert(correction, compute))
    total = sum(centered, axis, dtype=compute, keepdims=keepdims, where=where)
    result = core.convert(p.div(total, number), dtype)
    return _where(number > 0, result, float("nan"))


def std(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=None, mean=None, correction=None):
    correction = _correction(ddof, correction)
    a = core.arraylike("std", a)
    return _std(a, axis=static_axes(axis), dtype=dtype, out=out, correction=correction, keepdims=keepdims, where=where, mean=mean)


@core.jit(static_argnames=("axis", "dtype", "keepdims"))
def _std(a, *, axis=None, dtype=None, out=None, correction=0, keepdims=False, where=None, mean=None):
    where = check_where("std", where)
    if dtype is not None:
        dtype = core.user_dtype(dtype, "std")
        if not _low.is_kind(dtype, "inexact"):
            raise ValueError(f"dtype argument to jnp.std must be inexact; got {dtype}")
    if out is not None:
        raise NotImplementedError("The 'out' argument to jnp.std is not supported.")
    return p.sqrt(var(a, axis=axis, dtype=dtype, correction=correction, keepdims=keepdims, where=where, mean=mean))


def ptp(a, axis=None, out=None, keepdims=False):
    return _ptp(core.arraylike("ptp", a), static_axes(axis), out, keepdims)


@core.jit(static_argnames=("axis", "keepdims"))
def _ptp(a, axis=None, out=None, keepdims=False):
    if out is not None:
        raise NotImplementedError("The 'out' argument to jnp.ptp is not supported.")
    return p.sub(max(a, axis=axis, keepdims=keepdims), min(a, axis=axis, keepdims=keepdims))


@core.jit(static_argnames=("axis", "keepdims"))
def count_nonzero(a, axis=None, keepdims=False):
    a = core.arraylike("count_nonzero", a)
    return sum(p.ne(a, core.scalar_like(a, 0)), axis=axis, dtype=core.default_int(), keepdims=keepdims)


# What `jnp.<ufunc>.reduce` calls.

def reduce_bits(name, a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=None):
    kind = {"and": _AND[:4] + (-1,), "or": _OR, "xor": _XOR}[name]
    return reduce("reduce_bitwise_" + name, kind, core.asarray(a), static_axes(axis), out, keepdims, initial, where, dtype,
                  require_integer)


def reduce_logical(name, a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=None):
    kind = {"and": _AND, "or": _OR, "xor": _XOR}[name]
    return reduce("reduce_logical_" + name, kind, a, static_axes(axis), out, keepdims, initial, where, dtype, to_bool)
