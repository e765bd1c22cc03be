"""Functions whose results NumPy types otherwise than JAX: what it computes in double precision, and where it gives Python's values,
arrays without axes, or named tuples."""
from collections import namedtuple

from _jitlens import core

from ._arguments import one_axis, ordered, rows_or_columns

_INF = float("inf")


def _by_jax(name, *args, **kwargs):
    import jax.numpy as jnp
    return core.numpy_call(getattr(jnp, name), name, args, kwargs)


def allclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
    import numpy
    return bool(numpy.all(numpy.isclose(a, b, rtol=rtol, atol=atol, equal_nan=equal_nan)))


def array_equiv(a1, a2):
    a1, a2 = core.numpy_array(a1), core.numpy_array(a2)
    import numpy
    try:
        numpy.broadcast_shapes(a1.shape, a2.shape)
    except ValueError:
        return False
    return bool(numpy.all(a1 == a2))


def interp(x, xp, fp, left=None, right=None, period=None):
    """Numbers are doubles, whatever they were."""
    fp = core.numpy_array(fp)
    if period is not None:
        if period == 0:
            raise ValueError("period must be a non-zero value")
        period, left, right = abs(period), None, None
    else:
        # Data first, then where they lie, then the places that are asked for: each has to have its axes before its type counts.
        for one in fp, core.numpy_array(xp):
            if one.ndim != 1:
                raise ValueError(f"object {'of too small depth' if one.ndim == 0 else 'too deep'} for desired array")
            if one is not fp and one.dtype.kind == "c":
                raise TypeError(f"Cannot cast array data from dtype('{one.dtype}') to dtype('float64') according to the rule 'safe'")
        if core.numpy_array(x).dtype.kind == "c":
            raise TypeError(f"Cannot cast array data from dtype('{core.numpy_array(x).dtype}') to dtype('float64') according to the rule 'safe'")
        if core.is_static_integer(core.size(xp)) and core.size(core.numpy_array(xp)) == 0:
            raise ValueError("array of sample points is empty")
        for end in left, right:
            if end is not None and (core.ndim(end) or fp.dtype.kind != "c" and core.numpy_array(end).dtype.kind == "c"):
                raise TypeError(f"must be real number, not {type(end).__name__}")
    fp = fp.astype("complex128" if fp.dtype.kind == "c" else "float64")
    x = x if isinstance(x, (int, float)) else core.numpy_array(x).astype("float64")
    return _by_jax("interp", x, core.numpy_array(xp).astype("float64"), fp, left=left, right=right, period=period)


def _filtered(name):
    def function(a, v, mode="full" if name == "convolve" else "valid"):
        import numpy
        if name == "correlate" and core.ndim(a) == 0:
            raise ValueError("object of too small depth for desired array")
        a, v = numpy.atleast_1d(a), numpy.atleast_1d(v)
        if a.ndim > 1 or v.ndim > 1:
            raise ValueError("object too deep for desired array")
        if a.size == 0 or v.size == 0:
            raise ValueError(f"{'a' if a.size == 0 else 'v'} cannot be empty" if name == "convolve" else "first array argument cannot be empty")
        if not isinstance(mode, (str, int)):
            raise TypeError(f"integer argument expected, got {type(mode).__name__}")
        if isinstance(mode, int) and 0 <= mode < 3:
            mode = ("valid", "same", "full")[mode]
        dtype = numpy.result_type(a, v)
        made = _by_jax(name, a, v, mode=mode)
        return made.astype(dtype) if made.dtype != dtype else made
    function.__name__ = name
    return function


convolve, correlate = _filtered("convolve"), _filtered("correlate")


def bincount(x, /, weights=None, minlength=0):
    x = core.numpy_array(x)
    if weights is not None:
        weights = core.numpy_array(weights).astype("float64")
    return _by_jax("bincount", x, weights=weights, minlength=core.index(minlength))


def _samples(a):
    a = core.numpy_array(a)
    return a.astype("float64") if a.dtype.kind in "bui" else a


def histogram2d(x, y, bins=10, range=None, density=None, weights=None):
    if len(x) != len(y):
        raise ValueError("x and y must have the same length.")
    if core.ndim(x) != 1:
        raise ValueError("too many values to unpack (expected 2)")
    if range is not None and (len(range) != 2 or core.ndim(range[0]) != 1):
        raise TypeError("cannot unpack non-iterable float object")
    import numpy
    joined = numpy.stack([core.numpy_array(x), core.numpy_array(y)])
    counts, first, second = _by_jax("histogram2d", _samples(joined[0]), _samples(joined[1]), bins=bins, range=range, density=density, weights=weights)
    return _doubles(counts), first, second


def histogramdd(sample, bins=10, range=None, density=None, weights=None):
    if isinstance(sample, (list, tuple)):
        import numpy
        sample = numpy.stack([core.numpy_array(s) for s in sample], -1)
    if core.is_static_integer(sample):
        raise TypeError(f"'{type(sample).__name__}' object is not iterable")
    sample = _samples(sample)
    if sample.ndim < 2:
        sample = sample.reshape(-1, 1)
    counts, edges = _by_jax("histogramdd", sample, bins=bins, range=range, density=density, weights=weights)
    return _doubles(counts), list(edges)


def _doubles(counts):
    return counts if counts.dtype.name in ("float64", "complex128") else counts.astype("complex128" if counts.dtype.kind == "c" else "float64")


def _running(name, x, axis, dtype, out, include_initial):
    import numpy
    x = numpy.atleast_1d(x)
    if axis is None:
        if x.ndim >= 2:
            raise ValueError("For arrays which have more than one dimension ``axis`` argument is required.")
        axis = 0
    made = getattr(numpy, "cumsum" if name == "cumulative_sum" else "cumprod")(x, axis=axis, dtype=dtype, out=out)
    if include_initial:
        shape = tuple([1 if i == axis % x.ndim else n for i, n in enumerate(x.shape)])
        made = numpy.concatenate([numpy.full(shape, 0 if name == "cumulative_sum" else 1, made.dtype), made], axis=axis)
    return made


def cumulative_sum(x, /, *, axis=None, dtype=None, out=None, include_initial=False):
    return _running("cumulative_sum", x, axis, dtype, out, include_initial)


def cumulative_prod(x, /, *, axis=None, dtype=None, out=None, include_initial=False):
    return _running("cumulative_prod", x, axis, dtype, out, include_initial)


def meshgrid(*xi, copy=True, sparse=False, indexing="xy"):
    return tuple(_by_jax("meshgrid", *[core.numpy_array(x).reshape(-1) for x in xi], copy=copy, sparse=sparse, indexing=indexing))


def vander(x, N=None, increasing=False):
    import numpy
    x = core.numpy_array(x)
    if x.ndim != 1:
        raise ValueError("x must be a one-dimensional array or sequence.")
    return _by_jax("vander", x.astype(numpy.promote_types(x.dtype, int)), N, increasing)


def unravel_index(indices, shape, order="C"):
    """Places are of NumPy's own type for them."""
    rows_or_columns(order)
    indices = indices if isinstance(indices, int) else core.numpy_array(indices)
    shape = (shape,) if core.is_static_integer(shape) else tuple(shape)
    if order == "F":
        shape = shape[::-1]
    count = 1
    for n in shape:
        count *= n
    known = core.numpy_array(indices)
    if known.size <= 10_000 and known.size:
        for bad, at in ((known < 0).any(), known.min()), ((known >= count).any(), known.max()):
            if core.surely(bad):
                raise ValueError(f"index {at} is out of bounds for array with size {count}")
    made = tuple([_whole(one) for one in _by_jax("unravel_index", indices, shape)])
    return made[::-1] if order == "F" else made


def _whole(made):
    return made.astype("int64")


_UNIQUE = {
    "unique_all": namedtuple("UniqueAllResult", "values indices inverse_indices counts"),
    "unique_counts": namedtuple("UniqueCountsResult", "values counts"),
    "unique_inverse": namedtuple("UniqueInverseResult", "values inverse_indices"),
}


def _unique(name):
    def function(x, /):
        return _UNIQUE[name](*[core.numpy_array(one) for one in _by_jax(name, core.numpy_array(x))])
    function.__name__ = name
    return function


unique_all, unique_counts, unique_inverse = [_unique(name) for name in _UNIQUE]


def argwhere(a):
    import numpy
    if numpy.ndim(a) == 0:
        return _by_jax("argwhere", core.numpy_array(a))
    return numpy.transpose(numpy.nonzero(a))


def argpartition(a, kth, axis=-1, kind="introselect", order=None):
    return _by_jax("argpartition", core.numpy_array(a), kth, axis).astype("int64")


def partition(a, kth, axis=-1, kind="introselect", order=None):
    """Which of the numbers on either side comes first is introselect's own."""
    import numpy
    a = core.numpy_array(a)
    if axis is None:
        a, axis = a.reshape(-1), -1
    from ._shapes import _axis
    axis = _axis(core.index(axis), a.ndim)
    places = core.numpy_array(kth)
    if places.ndim > 1:
        raise ValueError("object too deep for desired array")
    if places.dtype.kind not in "iub" or places.dtype.kind == "b":
        raise TypeError("Partition index must be integer")
    for k in places.reshape(-1).tolist():
        if not -a.shape[axis] <= k < a.shape[axis]:
            raise ValueError(f"kth(={k}) out of bounds ({a.shape[axis]})")
    ordered = numpy.sort(a, axis=axis)
    return ordered if a.shape[axis] < 3 else core.numpy_opaque(a.shape, a.dtype)


def sort(a, axis=-1, kind=None, order=None, *, stable=None):
    a = core.numpy_array(a)
    if axis is None:
        a, axis = a.reshape(-1), -1
    return _by_jax("sort", a, ordered(axis, a.ndim, kind, order, stable))


def argsort(a, axis=-1, kind=None, order=None, *, stable=None):
    if core.is_array(a):
        import jax.numpy as jnp
        if core.ndim(a) == 0 or core.is_static_integer(axis) and not -a.ndim <= axis < a.ndim:
            return jnp.argsort(a, axis=axis)
        if stable is not None and kind is None and order is None:
            return jnp.argsort(a, axis, stable=stable)
    a = core.numpy_array(a)
    axis = ordered(axis, a.ndim or 1, kind, order, stable, True)
    if a.ndim == 0:
        a = a.reshape(1)
    return _by_jax("argsort", a, axis).astype("int64")


def _infinite(name):
    def function(x, out=None):
        kind = core.numpy_array(x).dtype
        if kind.kind == "c":
            raise TypeError(f"This operation is not supported for {kind} values because it would be ambiguous.")
        return _by_jax(name, core.numpy_array(x), out) if out is not None else _by_jax(name, core.numpy_array(x))
    function.__name__ = name
    return function


isneginf, isposinf = _infinite("isneginf"), _infinite("isposinf")


def isreal(x):
    import numpy
    return numpy.imag(x) == 0


def iscomplex(x):
    import numpy
    x = numpy.asanyarray(x)
    if x.dtype.kind == "c":
        return x.imag != 0
    return numpy.zeros(x.shape, bool)[()]


def _in_range(places, size):
    """Refuses places behind the end, where they are known."""
    if core.size(places) and core.is_static_integer(size):
        last = places.max()
        if core.surely(last >= size):
            raise IndexError(f"index {last} is out of bounds for axis 0 with size {size}")


def compress(condition, a, axis=None, out=None):
    import numpy
    if core.is_array(a) and out is None:
        import jax.numpy as jnp
        try:
            return jnp.compress(condition, a, axis)
        except TypeError:
            if core.is_tracer(a):
                raise
    given, condition = condition, core.numpy_array(condition)
    if condition.ndim != 1:
        raise ValueError("condition must be a 1-d array")
    if core.is_array(given) and condition.dtype.kind in "fc":
        raise TypeError(f"Cannot cast array data from dtype('{condition.dtype}') to dtype('bool') according to the rule 'safe'")
    return numpy.take(core.numpy_array(a), numpy.nonzero(condition)[0], axis=axis, out=out)


def extract(condition, arr):
    import numpy
    _in_range(numpy.nonzero(numpy.ravel(condition))[0], core.size(core.numpy_array(arr)))
    return numpy.take(numpy.ravel(arr), numpy.nonzero(numpy.ravel(condition))[0])


def sort_complex(a):
    made = _by_jax("sort", core.numpy_array(a))
    if made.dtype.kind == "c":
        return made
    return made.astype("complex64" if made.dtype.name in ("int8", "uint8", "int16", "uint16") else "complex128")


def trapezoid(y, x=None, dx=1.0, axis=-1):
    import numpy
    y = numpy.asanyarray(y)
    if y.ndim == 0:
        raise IndexError("tuple index out of range")
    axis = axis if axis >= 0 else axis + y.ndim
    ahead = (slice(None),) * axis
    if x is None:
        d = dx
    else:
        x = numpy.asanyarray(x)
        d = numpy.diff(x) if x.ndim == 1 else numpy.diff(x, axis=axis)
        if x.ndim == 1:
            d = d.reshape((1,) * axis + d.shape + (1,) * (y.ndim - axis - 1))
    return (d * (y[ahead + (slice(1, None),)] + y[ahead + (slice(None, -1),)]) / 2.0).sum(axis)


def trim_zeros(filt, trim="fb", axis=None):
    """What is left is the array's own part, whatever kind of array it is."""
    if trim.lower() not in ("fb", "bf", "f", "b"):
        raise ValueError(f"unexpected character(s) in `trim`: {trim!r}")
    import numpy
    kept = core.numpy_array(filt)
    if axis is not None:
        from ._shapes import _axis
        axes = [_axis(core.index(one), kept.ndim) for one in (axis if isinstance(axis, (tuple, list)) else (axis,))]
    else:
        axes = range(kept.ndim)
    if kept.ndim == 0:
        return filt
    filled = numpy.nonzero(kept)
    where = []
    for i in range(kept.ndim):
        if i not in axes:
            where.append(slice(None))
        elif len(filled[i]) == 0:
            where.append(slice(0, 0))
        else:
            where.append(slice(int(filled[i].min()) if "f" in trim.lower() else None, int(filled[i].max()) + 1 if "b" in trim.lower() else None))
    return filt[where[0] if len(where) == 1 else tuple(where)]


def _without_axes(name, first, second=None):
    """Functions that give an array without axes where others of NumPy give a scalar; what their arrays are called."""
    def function(*args, **kwargs):
        if not args and first in kwargs:
            args = (kwargs.pop(first),)
        if len(args) == 1 and second in kwargs:
            args = args + (kwargs.pop(second),)
        if not args:
            raise TypeError(f"{name}() missing 1 required positional argument: '{first}'")
        a, *args = args
        args = [core.numpy_array(x) if core.is_array(x) or isinstance(x, (list, tuple)) and name == "isin" else x for x in args]
        return core.numpy_array(_by_jax(name, core.numpy_array(a), *args, **kwargs))
    function.__name__ = name
    return function


roll, _i0 = _without_axes("roll", "a"), _without_axes("i0", "x")


def i0(x):
    x = core.numpy_array(x)
    if x.dtype.kind == "c":
        raise TypeError("i0 not supported for complex values")
    return _i0(x if x.dtype.kind == "f" else x.astype("float64"))


_isin = _without_axes("isin", "element", "test_elements")


def isin(element, test_elements, assume_unique=False, invert=False, *, kind=None):
    if not (kind is None or kind == "sort" or kind == "table"):
        raise ValueError(f"Invalid kind: '{kind}'. Please use None, 'sort' or 'table'.")
    if kind == "table" and any([core.numpy_array(x).dtype.kind not in "uib" for x in (element, test_elements)]):
        raise ValueError("The 'table' method is only supported for boolean or integer arrays. Please select 'sort' or None for kind.")
    return _isin(element, test_elements, invert=bool(invert))


def kaiser(M, beta):
    """Both are numbers of one array."""
    M, beta = core.numpy_array(M), core.numpy_array(beta)
    if M.ndim or beta.ndim:
        raise ValueError("setting an array element with a sequence. The requested array has an inhomogeneous shape after 1 dimensions.")
    M = M.item()
    if not isinstance(M, complex):
        import math
        M = math.ceil(M)            # As many points as there are steps of one.
    made = _by_jax("kaiser", M, beta.real.item())
    return made.astype("complex128") if beta.dtype.kind == "c" else made


def geomspace(start, stop, num=50, endpoint=True, dtype=None, axis=0):
    import numpy
    start, stop = core.numpy_array(start), core.numpy_array(stop)
    if (start == 0).any() or (stop == 0).any():
        raise ValueError("Geometric sequence cannot include zero")
    kind = "complex128" if "c" in (start.dtype.kind, stop.dtype.kind) else "float64"
    made = _by_jax("geomspace", start.astype(kind), stop.astype(kind), num, endpoint=endpoint, axis=axis)
    return made if dtype is None else made.astype(dtype)


def _extreme(name):
    best, worst = ("max", -_INF) if name == "argmax" else ("min", _INF)

    def function(a, axis=None, out=None, *, keepdims=False):
        import numpy
        a = core.numpy_array(a)
        axis = one_axis(axis, a.ndim)
        if not a.ndim and axis is not None:
            return _by_jax(name, a.reshape(1), axis, out, bool(keepdims))
        if a.dtype.kind == "c":
            # Real parts come first, then imaginary ones; what is not a number stands before both.
            missing = numpy.isnan(a)
            real, imag = numpy.where(missing, -worst, a.real), numpy.where(missing, -worst, a.imag)
            a = numpy.where(real == getattr(real, best)(axis=axis, keepdims=True), imag, worst)
        return _by_jax(name, a, axis, out, keepdims)
    function.__name__ = name
    return function


argmax, argmin = [_extreme(name) for name in ("argmax", "argmin")]


def _known_extreme(name):
    def function(a, axis=None, out=None, *, keepdims=False):
        a = core.numpy_array(a)
        axis = one_axis(axis, a.ndim)
        return _by_jax(name, a if a.ndim or axis is None else a.reshape(1), axis, out, bool(keepdims))
    function.__name__ = name
    return function


nanargmax, nanargmin = [_known_extreme(name) for name in ("nanargmax", "nanargmin")]
