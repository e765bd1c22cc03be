"""Quantiles and percentiles."""
from _jitlens import core

from ._reductions import _in_floats


def _are_axes(axis, ndim):
    axes = axis if isinstance(axis, tuple) else (axis,)
    return axis is None or axes != () and all(type(i) is int and -ndim <= i < ndim for i in axes)


# Where a quantile `q` of `n` elements in their order lies, counted from 0 (R. J. Hyndman and Y. Fan, "Sample quantiles in statistical
# packages", 1996).
_INDICES = {
    "inverted_cdf": lambda n, q: n * q - 1,
    "averaged_inverted_cdf": lambda n, q: n * q - 1,
    "closest_observation": lambda n, q: n * q - 1.5,
    "interpolated_inverted_cdf": lambda n, q: n * q - 1,
    "hazen": lambda n, q: n * q - 0.5,
    "weibull": lambda n, q: n * q + q - 1,
    "median_unbiased": lambda n, q: n * q + (1 / 3 + q * (1 / 3)) - 1,
    "normal_unbiased": lambda n, q: n * q + (3 / 8 + q * (1 / 4)) - 1,
    "lower": lambda n, q: (n - 1) * q,
    "higher": lambda n, q: (n - 1) * q,
    "midpoint": lambda n, q: (n - 1) * q,
    "linear": lambda n, q: (n - 1) * q,
    "nearest": lambda n, q: (n - 1) * q,
}
# Those that give one of the elements.
_OF_ELEMENTS = ("inverted_cdf", "closest_observation", "lower", "higher", "nearest")


def _by_index(a, q, places, method, axis, keepdims):
    """Quantiles of sorted elements, by where they lie."""
    import numpy
    axes = list(range(a.ndim)) if axis is None else [i % a.ndim for i in (axis if isinstance(axis, tuple) else (axis,))]
    others = [i for i in range(a.ndim) if i not in axes]
    ordered = numpy.sort(numpy.transpose(a, others + axes).reshape([a.shape[i] for i in others] + [-1]), axis=-1)
    count = ordered.shape[-1]
    at = _INDICES[method](count, (places if places.dtype.kind == "f" else places.astype("float64")).ravel())
    below = numpy.floor(at)
    part = at - below
    if method in ("inverted_cdf", "higher"):
        below, part = numpy.ceil(at), None
    elif method == "closest_observation":
        below, part = numpy.where((part == 0) & (below % 2 == 1), below, below + 1), None
    elif method == "lower":
        part = None
    elif method == "nearest":
        below, part = numpy.rint(at), None
    elif method == "averaged_inverted_cdf":
        part = numpy.where(part == 0, 0.5, 1.0).astype(part.dtype)
    elif method == "midpoint":
        part = numpy.where(part == 0, 0.0, 0.5).astype(part.dtype)
    take = lambda index: numpy.take(ordered, numpy.clip(index, 0, count - 1).astype("int64"), axis=-1)
    found = take(below)
    if part is not None:
        high = take(below + 1)
        gap = high - found
        part = float(part[0]) if type(q) in (int, float) else part
        found = numpy.where(part >= 0.5, high - gap * (1 - part), found + gap * part)
    if a.dtype.kind == "f":
        last = ordered[..., -1:]
        found = numpy.where(numpy.isnan(last), last, found).astype(found.dtype)
    kept = [1 if i in axes else n for i, n in enumerate(a.shape)] if keepdims else [a.shape[i] for i in others]
    return numpy.moveaxis(found, -1, 0).reshape(list(places.shape) + kept)[()]


def _at_quantiles(name):
    inner = _in_floats(name)

    def function(a, q, *args, **kwargs):
        kwargs.update(zip(("axis", "out", "overwrite_input", "method", "keepdims"), args))
        if kwargs.get("out") is None:
            kwargs.pop("out", None)
        if isinstance(kwargs.get("axis"), list):
            kwargs["axis"] = tuple(kwargs["axis"])
        if kwargs.get("overwrite_input") and core.is_array(a) and core.size(a):
            raise ValueError("assignment destination is read-only")
        method = kwargs.get("method", "linear")
        if method == "linear":
            kwargs.pop("method", None)
        is_end = not name.endswith("percentile") and core.numpy_array(q).dtype.kind in "iu" and method == "linear"
        if core.numpy_array(a).dtype.kind == "b" and method not in _OF_ELEMENTS and not is_end:
            raise TypeError("numpy boolean subtract, the `-` operator, is not supported, use the bitwise_xor, the `^` operator, or the "
                            "logical_xor function instead.")
        places = core.numpy_array(q)
        top = 100 if name.endswith("percentile") else 1
        bad = ((places < 0) | (places > top)).any()
        if places.size < 10_000 and core.surely(bad):
            raise ValueError("Percentiles must be in the range [0, 100]" if top == 100 else "Quantiles must be in the range [0, 1]")
        a = core.numpy_array(a)
        if a.size == 0 and name.startswith("nan"):
            import numpy
            return numpy.nanmean(a, kwargs.get("axis"), keepdims=bool(kwargs.get("keepdims", False)))
        if a.ndim == 0 and kwargs.pop("keepdims", False):
            return core.numpy_array(function(a, q, **kwargs))
        own = a.dtype
        is_plain = set(kwargs) <= {"axis", "keepdims", "method"} and _are_axes(kwargs.get("axis"), a.ndim) and a.size and places.size
        # Whole quantiles are ends of the array; whole percentiles are divided first.
        if is_plain and method in _INDICES and not is_end and own.kind in "biuf" and own.name != "bfloat16":
            is_whole = own.kind != "f" or a.size < 1_000_000 and core.surely((a == a).all())
            if is_whole or not name.startswith("nan"):
                return _by_index(a, q, places / 100 if top == 100 else places, method, kwargs.get("axis"), kwargs.get("keepdims", False))
            if method != "linear":
                return core.unknown(f"quantiles by `{method}` of what may have a NaN in it")
        if own.name == "bfloat16":
            a = a.astype("float32")
        if isinstance(q, (int, float)):
            q = float(q)
        else:
            q = places.astype("float64") if places.dtype.kind in "iu" else places
            if a.dtype.kind == "f" and q.dtype.itemsize > a.dtype.itemsize:
                a = a.astype(q.dtype)
        made = inner(a, q, **kwargs)
        # A number of the array itself keeps its type.
        is_element = is_end or kwargs.get("method") in ("lower", "higher", "nearest")
        return made.astype(own) if own.kind in "iuf" and own.name != "bfloat16" and is_element else made
    function.__name__ = name
    return function


quantile, percentile, nanquantile, nanpercentile = (
    _at_quantiles(name) for name in ("quantile", "percentile", "nanquantile", "nanpercentile"))
