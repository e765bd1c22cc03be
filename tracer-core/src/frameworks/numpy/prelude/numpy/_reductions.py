"""Reductions whose types NumPy gives otherwise than JAX."""
from _jitlens import core
from _jitlens.python import version_of

from ._arguments import of_reduction, one_axis


def _wide(dtype):
    if core.dtype_kind(dtype) in ("int", "bool") and dtype.itemsize < 8:
        return core.named_dtype("uint64" if dtype.name[0] == "u" else "int64")
    return None


def _into(name, out, result):
    if out is None:
        return result
    from ._ufunc import store
    return store(name, out, result)


def _reduce(name):
    def function(a, *args, **kwargs):
        import jax.numpy as jnp
        a = core.numpy_array(a)
        if args or kwargs:
            kwargs = of_reduction(name, a, args, kwargs)
        dtype, out = kwargs.pop("dtype", None), kwargs.pop("out", None)
        dtype = dtype if dtype is not None else _wide(a.dtype)
        if dtype is not None:
            kwargs["dtype"] = dtype
        return _into(name, out, core.numpy_call(getattr(jnp, name), name, (a,), kwargs))
    function.__name__ = function.__qualname__ = name
    return function


_prod, _sum, nansum, nanprod = [_reduce(name) for name in ("prod", "sum", "nansum", "nanprod")]


def prod(a, *args, **kwargs):
    if not args and not kwargs and type(a) in (tuple, list) and a and all(type(x) is int for x in a):
        total = 1
        for x in a:
            total *= x
        if -2**63 <= total < 2**63:
            return core.numpy_scalar(total, core.named_dtype("int64"))
    return _prod(a, *args, **kwargs)


def _refuses_generators():
    """Whether the project's NumPy is as new as the one that is modelled: older ones only warn."""
    found = version_of("numpy")
    if found is None:
        return True
    major, minor = found.split(".")[:2]
    return (int(major), int(minor)) >= (2, 4)


def sum(a, *args, **kwargs):
    if not hasattr(a, "__len__") and hasattr(a, "__next__"):
        if type(a).__name__ == "generator" and _refuses_generators():
            raise TypeError("Calling np.sum(generator) is deprecated."
                            "Use np.sum(np.fromiter(generator)) or the python sum builtin instead.")
        total = 0
        for x in a:
            total = total + x
        return total
    return _sum(a, *args, **kwargs)


def _running(name, a, axis, dtype, out):
    import jax.numpy as jnp
    a = core.numpy_array(a)
    axis = one_axis(axis, a.ndim)
    dtype = dtype if dtype is not None else _wide(a.dtype)
    return _into(name, out, core.numpy_call(getattr(jnp, name), name, (a if a.ndim or axis is None else a.reshape(1),), dict(axis=axis, dtype=dtype)))


def cumsum(a, axis=None, dtype=None, out=None):
    return _running("cumsum", a, axis, dtype, out)


def cumprod(a, axis=None, dtype=None, out=None):
    return _running("cumprod", a, axis, dtype, out)


def nancumsum(a, axis=None, dtype=None, out=None):
    return _running("nancumsum", a, axis, dtype, out)


def nancumprod(a, axis=None, dtype=None, out=None):
    return _running("nancumprod", a, axis, dtype, out)


def _in_floats(name):
    """Functions that compute integers in double precision."""
    def function(a, *args, **kwargs):
        import jax.numpy as jnp
        if kwargs.get("overwrite_input") and core.is_array(a):
            raise ValueError("assignment destination is read-only")
        a = core.numpy_array(a)
        if a.dtype.kind == "c" and name.endswith(("quantile", "percentile")):
            raise TypeError("a must be an array of real numbers")
        if a.dtype.kind == "c" and name.endswith("median"):
            return core.unknown("the median of complex numbers")
        if a.dtype.kind in "bui":
            a = a.astype("float64")
        out = kwargs.pop("out", None)
        for unused in ("overwrite_input",):
            kwargs.pop(unused, None)
        return _into(name, out, core.numpy_call(getattr(jnp, name), name, (a,) + args, kwargs))
    function.__name__ = name
    return function


median, nanmedian, average = (_in_floats(name) for name in ("median", "nanmedian", "average"))


def select(condlist, choicelist, default=0):
    """Python's numbers take the type of the arrays beside them."""
    import jax.numpy as jnp
    import numpy
    if len(condlist) != len(choicelist):
        raise ValueError("list of cases must be same length as list of conditions")
    if len(condlist) == 0:
        raise ValueError("select with an empty condition list is not possible")
    every = [*choicelist, default]
    is_plain = [type(x) in (int, float, complex) for x in every]
    if any(is_plain) and not all(is_plain):
        dtype = numpy.result_type(*[x if plain else core.numpy_array(x) for x, plain in zip(every, is_plain)])
        *choicelist, default = [core.numpy_array(x).astype(dtype) if plain else x for x, plain in zip(every, is_plain)]
    return core.numpy_call(jnp.select, "select", (condlist, choicelist, default), {})


def _int64(result):
    return core.numpy_array(result, core.named_dtype("int64")) if core.is_numpy_array(result) else (
        core.numpy_scalar(result, core.named_dtype("int64")))


def searchsorted(a, v, side="left", sorter=None):
    import jax.numpy as jnp
    a = core.numpy_array(a)
    if a.ndim != 1:
        raise ValueError("object too deep for desired array")
    return _int64(core.numpy_call(jnp.searchsorted, "searchsorted", (a, v), {"side": side, "sorter": sorter}))


def digitize(x, bins, right=False):
    import jax.numpy as jnp
    return _int64(core.numpy_call(jnp.digitize, "digitize", (core.numpy_array(x), core.numpy_array(bins)), {"right": right}))


def _check_bins(a, bins, weights):
    """Refuses weights of another shape, and what is neither a number of bins nor their edges in order."""
    import numpy
    if weights is not None and core.shape(core.numpy_array(weights)) != a.shape:
        raise ValueError("weights should have the same shape as a.")
    if isinstance(bins, str):
        if bins not in ("stone", "auto", "doane", "fd", "rice", "scott", "sqrt", "sturges"):
            raise ValueError(f"{bins!r} is not a valid estimator for `bins`")
        if weights is not None:
            raise TypeError("Automated estimation of the number of bins is not supported for weighted data")
        return
    edges = core.numpy_array(bins)
    if edges.ndim > 1:
        raise ValueError("`bins` must be 1d, when an array")
    if edges.ndim == 0:
        try:
            count = core.index(bins)
        except TypeError:
            raise TypeError("`bins` must be an integer, a string, or an array") from None
        if core.is_static_integer(count) and count < 1:
            raise ValueError("`bins` must be positive, when an integer")
    elif edges.size <= 10_000:
        first, then = edges[:-1], edges[1:]
        falls = first > then if edges.dtype.kind != "c" else (first.real > then.real) | (first.real == then.real) & (first.imag > then.imag)
        falls = falls.any()
        if core.surely(falls):
            raise ValueError("`bins` must increase monotonically, when an array")


def _edges(a, bins, range, weights):
    """The edges of bins: those that are given, or so many of equal width between ends that have to be finite."""
    import jax.numpy as jnp
    import numpy
    _check_bins(a, bins, weights)
    if core.ndim(bins):
        return core.numpy_array(bins)
    if range is not None:
        first, last = range
        if first > last:
            raise ValueError("max must be larger than min in range parameter.")
        if not (numpy.isfinite(first) and numpy.isfinite(last)):
            raise ValueError(f"supplied range of [{first}, {last}] is not finite")
    elif a.size and a.size <= 10_000:
        endless = (~numpy.isfinite(a)).any()
        if core.surely(endless):
            raise ValueError("autodetected range is not finite")
    if a.size == 0 and range is None:
        range = (0, 1)
    return core.numpy_call(jnp.histogram_bin_edges, "histogram_bin_edges", (a,), dict(bins=bins, range=range, weights=None))


def histogram_bin_edges(a, bins=10, range=None, weights=None):
    return _edges(core.numpy_array(a), bins, range, weights)


def histogram(a, bins=10, range=None, density=None, weights=None):
    import jax.numpy as jnp
    import numpy
    a = core.numpy_array(a)
    edges = _edges(a, bins, range, weights)
    if a.size == 0:
        counts = numpy.zeros(core.size(edges) - 1)
        return counts if density else counts.astype("int64" if weights is None else core.numpy_array(weights).dtype), edges
    counts, _ = core.numpy_call(jnp.histogram, "histogram", (a.astype("float64") if a.dtype.kind in "bui" else a,),
                                    dict(bins=bins, range=range, density=None, weights=weights))
    counts = counts.astype("int64" if weights is None else core.numpy_array(weights).dtype)
    return counts / numpy.diff(edges).astype("float64") / counts.sum() if density else counts, edges


def tensordot(a, b, axes=2):
    import jax.numpy as jnp

    def product(a, b):
        return jnp.tensordot(a, b, axes=axes)
    return core.numpy_array(core.numpy_call(product, "tensordot", (core.numpy_array(a), core.numpy_array(b)), {}))


def tri(N, M=None, k=0, dtype=float, *, like=None):
    import numpy
    M = N if M is None else M
    rows, columns = numpy.arange(N), numpy.arange(-k, M - k)
    return (rows[:, None] >= columns[None]).astype(core.named_dtype("float64") if dtype is float else dtype)


def _triangle(name):
    def function(m, k=0):
        import numpy
        if core.is_array(k):
            k = core.numpy_array(k).item()
        m = core.numpy_array(m)
        if m.ndim == 0:
            raise TypeError("tri() missing 1 required positional argument: 'N'")
        mask = tri(*m.shape[-2:], k=k if name == "tril" else k - 1, dtype=bool)
        zero = numpy.zeros(1, m.dtype)
        return numpy.where(mask, m, zero) if name == "tril" else numpy.where(mask, zero, m)
    function.__name__ = name
    return function


tril, triu = _triangle("tril"), _triangle("triu")


def trace(a, offset=0, axis1=0, axis2=1, dtype=None, out=None):
    import jax.numpy as jnp
    if core.ndim(core.numpy_array(a)) < 2:
        raise ValueError("diag requires an array of at least two dimensions")
    return _into("trace", out, core.numpy_call(jnp.trace, "trace", (core.numpy_array(a), offset, axis1, axis2), {"dtype": dtype}))


def angle(z, deg=False):
    import numpy
    z = core.numpy_array(z)
    if z.dtype.kind == "c":
        imaginary, real = z.imag, z.real
    else:
        imaginary, real = 0, z
    a = numpy.arctan2(imaginary, real)
    return a * (180 / numpy.pi) if deg else a


def ptp(a, axis=None, out=None, keepdims=False):
    import numpy
    a = core.numpy_array(a)
    return _into("subtract", out, numpy.subtract(a.max(axis=axis, keepdims=keepdims), a.min(axis=axis, keepdims=keepdims)))


def _shape_checked(name, arrays, axis):
    arrays = [core.numpy_array(a) for a in arrays]
    if not arrays:
        raise ValueError("need at least one array to concatenate")
    first = arrays[0]
    if axis is None:
        return arrays
    if isinstance(axis, bool):
        raise TypeError("an integer is required for the axis")
    core.index(axis)
    if first.ndim == 0:
        raise ValueError("zero-dimensional arrays cannot be concatenated")
    from ._shapes import _axis
    axis = _axis(axis, first.ndim)
    for i, a in enumerate(arrays):
        if a.ndim != first.ndim:
            raise ValueError("all the input arrays must have same number of dimensions, but the array at index 0 has "
                             f"{first.ndim} dimension(s) and the array at index {i} has {a.ndim} dimension(s)")
    for i, a in enumerate(arrays):
        for d in range(first.ndim):
            if d != axis and type(a.shape[d]) is int and type(first.shape[d]) is int and a.shape[d] != first.shape[d]:
                raise ValueError("all the input array dimensions except for the concatenation axis must match exactly, but along "
                                 f"dimension {d}, the array at index 0 has size {first.shape[d]} and the array at index {i} has "
                                 f"size {a.shape[d]}")
    return arrays


def concatenate(arrays, /, axis=0, out=None, *, dtype=None, casting="same_kind"):
    if out is None and dtype is None and type(arrays) in (list, tuple):
        joined = core.numpy_joined(arrays, axis)
        if joined is not None:
            return joined
    import jax.numpy as jnp
    if not core.is_numpy_array(arrays):
        arrays = list(arrays)
        if not arrays:
            raise ValueError("need at least one array to concatenate")
    arrays = _shape_checked("concatenate", arrays, axis)
    dtype = _checked_cast(arrays, dtype, casting)
    made = core.numpy_call(jnp.concatenate, "concatenate", (arrays,), {"axis": axis, "dtype": dtype})
    return _into("concatenate", out, made)


def _checked_cast(arrays, dtype, casting):
    """The dtype of what is joined, which all of it has to be of the same kind as."""
    if dtype is None:
        return None
    from ._writing import can_cast_same_kind
    if dtype is str or dtype is object or dtype is bytes:
        return core.unknown("arrays of what is no number")
    dtype = core.numpy_dtype_from(getattr(dtype, "dtype", dtype))
    if dtype.kind not in "biufcV":
        return core.unknown("arrays of what is no number")
    if casting == "same_kind":
        for a in arrays:
            if a.dtype != dtype and not can_cast_same_kind(a.dtype, dtype):
                raise TypeError(f"Cannot cast array data from dtype('{a.dtype}') to dtype('{dtype}') according to the rule 'same_kind'")
    return dtype


concat = concatenate


def stack(arrays, axis=0, out=None, *, dtype=None, casting="same_kind"):
    import jax.numpy as jnp
    arrays = [core.numpy_array(a) for a in arrays]
    if not arrays:
        raise ValueError("need at least one array to stack")
    if any(all(type(n) is int for n in a.shape + arrays[0].shape) and a.shape != arrays[0].shape for a in arrays):
        raise ValueError("all input arrays must have the same shape")
    dtype = _checked_cast(arrays, dtype, casting)
    return _into("stack", out, core.numpy_call(jnp.stack, "stack", (arrays,), {"axis": axis, "dtype": dtype}))


def vstack(tup, *, dtype=None, casting="same_kind"):
    from ._shapes import atleast_2d
    return concatenate([atleast_2d(a) for a in tup], 0, dtype=dtype)


row_stack = vstack


def hstack(tup, *, dtype=None, casting="same_kind"):
    from ._shapes import atleast_1d
    arrays = [atleast_1d(a) for a in tup]
    return concatenate(arrays, 0 if arrays and arrays[0].ndim == 1 else 1, dtype=dtype)


def append(arr, values, axis=None):
    from ._shapes import ravel
    if axis is None:
        return concatenate([ravel(arr), ravel(values)])
    return concatenate([arr, values], axis)


def nonzero(a):
    import jax.numpy as jnp
    a = core.numpy_array(a)
    found = core.numpy_nonzero(a)
    return core.numpy_call(jnp.nonzero, "nonzero", (a,), {}) if found is None else found


def dot(a, b, out=None):
    import jax.numpy as jnp
    a, b = core.numpy_array(a), core.numpy_array(b)
    if a.ndim and b.ndim:
        place = 0 if b.ndim == 1 else b.ndim - 2
        m, n = a.shape[-1], b.shape[place]
        if type(m) is int and type(n) is int and m != n:
            raise ValueError(f"shapes {_tight(a.shape)} and {_tight(b.shape)} not aligned: {m} (dim {a.ndim - 1}) != {n} (dim {place})")
    return _into("dot", out, core.numpy_call(jnp.dot, "dot", (a, b), {}))


def _tight(shape):
    return str(shape).replace(" ", "")


def _in_double(name, m, y, rowvar, kwargs, dtype):
    import jax.numpy as jnp
    given = [core.numpy_array(x) for x in (m, y) if x is not None]
    dtype = getattr(dtype, "dtype", dtype) if core.is_array(dtype) else dtype
    if dtype is None:
        dtype = core.named_dtype("complex128" if any([x.dtype.kind == "c" for x in given]) else "float64")
    else:
        kind = core.numpy_dtype_from(dtype).kind
        if kind in "biu":
            from numpy._core._exceptions import _UFuncOutputCastingError
            raise _UFuncOutputCastingError(f"Cannot cast ufunc 'subtract' output from dtype('float64') to dtype('{core.numpy_dtype_from(dtype)}') with "
                                           "casting rule 'same_kind'")
    given = [x.astype(dtype) for x in given]
    made = core.numpy_call(getattr(jnp, name), name, tuple(given), dict(rowvar=rowvar, **kwargs))
    return core.numpy_array(made) if name == "cov" else made


def cov(m, y=None, rowvar=True, bias=False, ddof=None, fweights=None, aweights=None, *, dtype=None):
    return _in_double("cov", m, y, rowvar, dict(bias=bias, ddof=ddof, fweights=fweights, aweights=aweights), dtype)


def corrcoef(x, y=None, rowvar=True, *, dtype=None):
    return _in_double("corrcoef", x, y, rowvar, {}, dtype)
