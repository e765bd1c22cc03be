"""Quantiles, covariances and histograms."""
import math

from _jitlens import core, prims as p

from . import _low
from ._low import where as _where
from ._manipulate import ravel, reshape_array
from ._reductions import all, any, average, sum

_METHODS = ["linear", "lower", "higher", "midpoint", "nearest", "inverted_cdf"]


@core.jit(static_argnames=("axis", "overwrite_input", "keepdims", "method"))
def quantile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False, *, weights=None):
    return _checked_quantile("quantile", False, a, q, axis, out, overwrite_input, method, keepdims, weights)


@core.jit(static_argnames=("axis", "overwrite_input", "keepdims", "method"))
def nanquantile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False, *, weights=None):
    return _checked_quantile("nanquantile", True, a, q, axis, out, overwrite_input, method, keepdims, weights)


def _checked_quantile(name, skip_nan, a, q, axis, out, overwrite_input, method, keepdims, weights):
    a, q = core.arraylike(name, a, q)
    if weights is not None:
        weights = core.arraylike(name, weights)
    if overwrite_input or out is not None:
        raise ValueError(f"jax.numpy.{name} does not support overwrite_input=True or out != None")
    if method not in _METHODS:
        raise ValueError("method can only be 'linear', 'lower', 'higher', 'midpoint', 'nearest' or 'inverted_cdf'")
    if weights is not None:
        from ._weighted_quantile import checked_weights
        a, weights = checked_weights(a, weights, axis, method)
    else:
        a, = core.promote_dtypes_inexact(a)
    if a.dtype.kind == "c":
        raise ValueError("quantile does not support complex input, as the operation is poorly defined.")
    a, weights, axis, kept = _one_axis(a, weights, axis, keepdims)
    if q.ndim > 1:
        raise ValueError(f"q must be have rank <= 1, got shape {q.shape}")
    if method == "inverted_cdf":
        from ._weighted_quantile import inverted_cdf
        result = inverted_cdf(a, weights, q, axis, keepdims, skip_nan)
    else:
        between = _between_valid if skip_nan else _between
        result = _combined(method, q, *between(a, q, axis, keepdims))
    if keepdims and kept:
        result = reshape_array(result, [q.shape[0], *kept] if q.ndim > 0 else kept)
    return core.convert(result, a.dtype)


def _one_axis(a, weights, axis, keepdims):
    """The reduced axes made one; `kept` is the shape to end with where axes are kept."""
    if axis is None:
        kept = [1] * a.ndim if keepdims else []
        return ravel(a), None if weights is None else ravel(weights), 0, kept
    if not isinstance(axis, tuple):
        return a, weights, core.canonical_axis(axis, a.ndim), []
    ndim = a.ndim
    axes = tuple(core.canonical_axis(i, ndim) for i in axis)
    if len(set(axes)) != len(axes):
        raise ValueError("repeated axis")
    kept = [1 if i in axes else size for i, size in enumerate(a.shape)]
    order = list(range(ndim))
    for i, keep in enumerate(sorted(set(range(ndim)) - set(axes))):
        order[i], order[keep] = order[keep], order[i]
    shape = tuple(size for i, size in enumerate(a.shape) if i not in axes) + (math.prod(a.shape[i] for i in axes),)

    def merged(x):
        if x is None:
            return None
        in_order = order == list(range(ndim))
        return _low.reshape(x, shape) if in_order else p.reshape(x, new_sizes=shape, dimensions=tuple(order))
    a = merged(a)
    return a, merged(weights), a.ndim - 1, kept


def _is_nan(x):
    return p.ne(x, x)


def _low_and_high(q):
    low, high = p.floor(q), p.ceil(q)
    high_weight = p.sub(q, low)
    low_weight = p.sub(core.scalar_like(high_weight, 1), high_weight)
    return low, high, low_weight, high_weight


def _between(a, q, axis, keepdims):
    """The values below and above each quantile, and their weights; a slice with a NaN is all NaN."""
    from .._indexing import gather
    a = _where(any(_is_nan(a), axis=axis, keepdims=True), float("nan"), a)
    a, = p.sort(a, dimension=axis, is_stable=True, num_keys=1)
    count = core.convert(a.shape[axis], q.dtype)
    low, high, low_weight, high_weight = _low_and_high(p.mul(q, count - 1))
    low = p.clamp(core.scalar_like(low, 0), low, count - 1)
    high = p.clamp(core.scalar_like(high, 0), high, count - 1)
    index = core.default_int()
    low, high = core.convert(low, index), core.convert(high, index)
    sizes = a.shape[:axis] + (1,) + a.shape[axis + 1:]
    offset = tuple(range(q.ndim, a.ndim + q.ndim - (0 if keepdims else 1)))
    dims = core.gather_dimension_numbers(offset, () if keepdims else (axis,), (axis,))
    low_value, high_value = (gather(a, i[..., None], dims, sizes) for i in (low, high))
    if q.ndim == 1:
        low_weight = p.broadcast_in_dim(low_weight, shape=low_value.shape, broadcast_dimensions=(0,))
        high_weight = p.broadcast_in_dim(high_weight, shape=high_value.shape, broadcast_dimensions=(0,))
    return low_value, high_value, low_weight, high_weight


def _between_valid(a, q, axis, keepdims):
    """The same among the values that are not NaN, which sorting puts first."""
    a = _where(_is_nan(a), float("nan"), a)
    a, = p.sort(a, dimension=axis, is_stable=True, num_keys=1)
    counts = sum(p.not_(_is_nan(a)), axis=axis, dtype=q.dtype, keepdims=keepdims)
    shape, rank = counts.shape, q.ndim
    places = _low.expand_dims(q, tuple(range(rank, len(shape) + rank)))
    counts = _low.expand_dims(counts, tuple(range(rank)))
    places = p.mul(places, p.sub(counts, core.scalar_like(places, 1)))
    low, high, low_weight, high_weight = _low_and_high(places)
    index_dtype = core.default_int()
    low = core.convert(p.max(core.scalar_like(low, 0), p.min(low, counts - 1)), index_dtype)
    high = core.convert(p.max(core.scalar_like(high, 0), p.min(high, counts - 1)), index_dtype)
    out_shape = q.shape + shape
    index = [_low.broadcasted_iota(index_dtype, out_shape, dim + rank) for dim in range(len(shape))]
    if keepdims:
        index[axis] = low
    else:
        index.insert(axis, low)
    low_value = a[tuple(index)]
    index[axis] = high
    return low_value, a[tuple(index)], low_weight, high_weight


def _combined(method, q, low, high, low_weight, high_weight):
    if method == "linear":
        return p.add(*core.promote_shapes("add", p.mul(core.convert(low, q.dtype), low_weight),
                                          p.mul(core.convert(high, q.dtype), high_weight)))
    if method == "lower":
        return low
    if method == "higher":
        return high
    if method == "nearest":
        return p.select_n(p.le(high_weight, core.scalar_like(high_weight, 0.5)), high, low)
    return p.mul(p.add(low, high), core.scalar_like(low, 0.5))


@core.jit(static_argnames=("axis", "overwrite_input", "keepdims", "method", "out_sharding"))
def percentile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False, *, weights=None, out_sharding=None):
    a, q = core.arraylike("percentile", a, q)
    if weights is not None:
        weights = core.arraylike("percentile", weights)
    q, = core.promote_dtypes_inexact(q)
    return quantile(a, q / 100, axis=axis, out=out, overwrite_input=overwrite_input, method=method, keepdims=keepdims, weights=weights)


@core.jit(static_argnames=("axis", "overwrite_input", "keepdims", "method"))
def nanpercentile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False, *, weights=None):
    a, q = core.arraylike("nanpercentile", a, q)
    if weights is not None:
        weights = core.arraylike("nanpercentile", weights)
    q, = core.promote_dtypes_inexact(q)
    return nanquantile(a, q / 100, axis=axis, out=out, overwrite_input=overwrite_input, method=method, keepdims=keepdims,
                       weights=weights)


@core.jit(static_argnames=("axis", "overwrite_input", "keepdims"))
def median(a, axis=None, out=None, overwrite_input=False, keepdims=False):
    a = core.arraylike("median", a)
    return quantile(a, 0.5, axis=axis, out=out, overwrite_input=overwrite_input, keepdims=keepdims, method="midpoint")


@core.jit(static_argnames=("axis", "overwrite_input", "keepdims"))
def nanmedian(a, axis=None, out=None, overwrite_input=False, keepdims=False):
    a = core.arraylike("nanmedian", a)
    return nanquantile(a, 0.5, axis=axis, out=out, overwrite_input=overwrite_input, keepdims=keepdims, method="midpoint")


def _sample_weights(name, weights, count):
    weights = core.arraylike("cov", weights)
    if weights.ndim > 1:
        raise RuntimeError(f"cannot handle multidimensional {name}")
    if weights.shape[0] != count:
        raise RuntimeError(f"incompatible numbers of samples and {name}")
    if name == "fweights" and not _low.is_kind(weights.dtype, "integer"):
        raise TypeError("fweights must be integer.")
    return abs(weights)


@core.jit(static_argnames=("rowvar", "bias", "ddof", "dtype"))
def cov(m, y=None, rowvar=True, bias=False, ddof=None, fweights=None, aweights=None, dtype=None):
    from ._creation import array, full
    from ._join import concatenate
    from ._linear import dot
    from ._manipulate import atleast_2d, squeeze
    from ._ufuncs import apply
    if y is not None:
        m, y = core.promote_inexact("cov", m, y)
        if y.ndim > 2:
            raise ValueError("y has more than 2 dimensions")
    else:
        m, = core.promote_inexact("cov", m)
    if m.ndim > 2:
        raise ValueError("m has more than 2 dimensions")
    if dtype is not None and not core.issubdtype(dtype, _low.KINDS["inexact"]):
        raise ValueError(f"cov: dtype must be a subclass of float or complex; got dtype={dtype!r}")
    x = atleast_2d(m)
    if not rowvar and m.ndim != 1:
        x = x.T
    if x.shape[0] == 0:
        return array([]).reshape(0, 0)
    if y is not None:
        other = atleast_2d(y)
        if not rowvar and other.shape[0] != 1:
            other = other.T
        x = concatenate((x, other), axis=0)
    if x.shape[1] == 0:
        return full(() if x.shape[0] == 1 else (x.shape[0], x.shape[0]), float("nan"), dtype=x.dtype)
    if ddof is None:
        ddof = 1 if bias == 0 else 0
    w = None
    if fweights is not None:
        w = _sample_weights("fweights", fweights, x.shape[1])
    if aweights is not None:
        aweights = _sample_weights("aweights", aweights, x.shape[1])
        w = aweights if w is None else w * aweights
    if dtype is not None:
        x = x.astype(dtype)
        w = w if w is None else w.astype(dtype)
    mean, w_sum = average(x, axis=1, weights=w, returned=True)
    w_sum = w_sum[0]
    if w is None:
        f = x.shape[1] - ddof
    elif ddof == 0:
        f = w_sum
    elif aweights is None:
        f = w_sum - ddof
    else:
        f = w_sum - ddof * sum(w * aweights) / w_sum
    x = x - mean[:, None]
    x_t = x.T if w is None else (x * _low.expand_dims(w, range(x.ndim - w.ndim))).T
    return squeeze(apply("true_divide", dot(x, x_t.conj()), f))


@core.jit(static_argnames=("rowvar", "dtype"))
def corrcoef(x, y=None, rowvar=True, dtype=None):
    from ._creation import diag
    from ._elementwise import imag, real
    from ._rounding import clip
    core.check_arraylike("corrcoef", x)
    if dtype is not None and not core.issubdtype(dtype, _low.KINDS["inexact"]):
        raise ValueError(f"corrcoef: dtype must be a subclass of float or complex; got dtype={dtype!r}")
    c = cov(x, y, rowvar, dtype=dtype)
    if c.ndim == 0:
        return c / c
    deviation = core.convert(p.sqrt(real(diag(c))), c.dtype)
    c = c / deviation[:, None] / deviation[None, :]
    real_part = clip(real(c), -1, 1)
    return p.complex(real_part, clip(imag(c), -1, 1)) if c.dtype.kind == "c" else real_part


def histogram_bin_edges(a, bins=10, range=None, weights=None):
    from ._creation import asarray, linspace
    from ._reductions import ptp
    if isinstance(bins, str):
        raise NotImplementedError("string values for `bins` not implemented.")
    core.check_arraylike("histogram_bin_edges", a, bins)
    a = asarray(a)
    dtype = core.to_inexact_dtype(a.dtype)
    if core.ndim(bins) == 1:
        return asarray(bins, dtype=dtype)
    bins = core.concrete_index(bins, "bins argument of histogram_bin_edges")
    if range is None:
        range = [a.min(), a.max()]
    range = asarray(range, dtype=dtype)
    if range.shape != (2,):
        raise ValueError(f"`range` must be either None or a sequence of scalars, got {range}")
    first = _where(ptp(range) == 0, range[0] - 0.5, range[0])
    last = _where(ptp(range) == 0, range[1] + 0.5, range[1])
    return linspace(first, last, bins + 1, dtype=dtype)


def histogram(a, bins=10, range=None, weights=None, density=None):
    from ._creation import ones_like, zeros
    from ._differences import diff
    from ._sorting import searchsorted
    if weights is None:
        a, _ = core.arraylike("histogram", a, bins)
        a, = core.promote_dtypes_inexact(a)
        weights = ones_like(a)
    else:
        a, _, weights = core.arraylike("histogram", a, bins, weights)
        if a.shape != weights.shape:
            raise ValueError("weights should have the same shape as a.")
        a, weights = core.promote_dtypes_inexact(a, weights)
    edges = histogram_bin_edges(a, bins, range, weights)
    count = edges.shape[0]
    place = searchsorted(edges, a, side="right")
    place = _where(a == edges[-1], count - 1, place)
    counts = zeros(count, weights.dtype).at[place].add(weights)[1:]
    if density:
        counts = counts / diff(edges) / counts.sum()
    return counts, edges


def histogram2d(x, y, bins=10, range=None, weights=None, density=None):
    from ._creation import asarray
    x, y = core.arraylike("histogram2d", x, y)
    try:
        count = len(bins)
    except TypeError:
        count = 1
    if count not in (1, 2):
        edges = asarray(bins)
        bins = [edges, edges]
    sample = asarray([x, y]).T
    counts, edges = histogramdd(sample, bins, range, weights, density)
    return counts, edges[0], edges[1]


def histogramdd(sample, bins=10, range=None, weights=None, density=None):
    from ._differences import diff
    from ._index import bincount, ix_, ravel_multi_index
    from ._sorting import searchsorted
    if weights is None:
        sample, = core.promote_dtypes_inexact(core.arraylike("histogramdd", sample))
    else:
        sample, weights = core.arraylike("histogramdd", sample, weights)
        if weights.shape != sample.shape[:1]:
            raise ValueError("should have one weight for each sample.")
        sample, weights = core.promote_dtypes_inexact(sample, weights)
    count, dims = sample.shape
    if range is not None and (len(range) != dims or builtin_any(r is not None and core.numpy_shape(r)[0] != 2 for r in range)):
        raise ValueError(f"For sample.shape={(count, dims)}, range must be a sequence of {dims} pairs or Nones; got range={range}")
    try:
        bins = list(bins)
    except TypeError:
        bins = dims * [bins]
    else:
        if len(bins) != dims:
            raise ValueError("should be a bin for each dimension.")
    places, all_edges = [], []
    for i, one in enumerate(bins):
        edges = histogram_bin_edges(sample[:, i], one, None if range is None else range[i], weights)
        place = searchsorted(edges, sample[:, i], side="right")
        places.append(_where(sample[:, i] == edges[-1], place - 1, place))
        all_edges.append(edges)
    sizes = tuple(edges.shape[0] + 1 for edges in all_edges)
    widths = [diff(edges) for edges in all_edges]
    flat = ravel_multi_index(tuple(places), sizes, mode="clip")
    counts = reshape_array(bincount(flat, weights, length=math.prod(sizes)), sizes)
    counts = counts[dims * (slice(1, -1),)]
    if density:
        counts = counts.astype(sample.dtype)
        counts = counts / counts.sum()
        for width in ix_(*widths):
            counts = counts / width
    return counts, all_edges


def builtin_any(values):
    for value in values:
        if value:
            return True
    return False
