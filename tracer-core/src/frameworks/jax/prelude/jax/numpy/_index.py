"""Functions that index: take, where, nonzero and what is built on them."""
import math
import operator

from _jitlens import core, prims as p

from . import _low
from .._indexing import at_update, gather, index as getitem
from ._creation import asarray
from ._manipulate import ravel, reshape_array


def where(condition, x=None, y=None, /, *, size=None, fill_value=None):
    if x is None and y is None:
        core.check_arraylike("where", condition)
        return nonzero(condition, size=size, fill_value=fill_value)
    core.check_arraylike("where", condition, x, y)
    if size is not None or fill_value is not None:
        raise ValueError("size and fill_value arguments cannot be used in three-term where function.")
    return _low.where(condition, x, y)


def nonzero(a, *, size=None, fill_value=None):
    from ._elementwise import floor_divide, remainder
    from ._nan_reductions import cumsum
    from ._reductions import sum
    a = core.arraylike("nonzero", a)
    if a.ndim == 0:
        raise ValueError("Calling nonzero on 0d arrays is not allowed. Use jnp.atleast_1d(scalar).nonzero() instead.")
    mask = a if a.dtype == bool else a != 0
    size = core.concrete_dim(
        sum(mask) if size is None else size,
        "The size argument of jnp.nonzero must be statically specified to use jnp.nonzero within JAX transformations.")
    if a.size == 0 or size == 0:
        return tuple(core.full((size,), 0, core.default_int()) for _ in a.shape)
    flat = cumsum(_counts(cumsum(mask), size))
    out = []
    for axis, length in enumerate(a.shape):
        stride = core.numpy_scalar(math.prod(a.shape[axis + 1:]), flat.dtype)
        out.append(remainder(floor_divide(flat, stride), length))
    return _filled(tuple(out), mask, a.ndim, size, fill_value)


def _filled(out, mask, ndim, size, fill_value):
    if fill_value is None:
        return out
    from ._creation import arange
    from ._reductions import sum
    fills = fill_value if isinstance(fill_value, tuple) else ndim * (fill_value,)
    if any(core.shape(value) != () for value in fills):
        raise ValueError(f"fill_value must be a scalar or a tuple of length {ndim}; got {fill_value}")
    if len(fills) != ndim:
        raise ValueError(f"safe_zip() argument 1 has length {ndim} but argument 0 has length {len(fills)}.")
    beyond = arange(size) >= sum(mask)
    return tuple(_low.where(beyond, value, entry) for value, entry in zip(fills, out))


def _counts(x, length):
    return bincount(x, length=length)


def bincount(x, weights=None, minlength=0, *, length=None, out_sharding=None):
    from ._rounding import clip
    x = core.arraylike("bincount", x)
    if x.dtype == bool:
        x = core.convert(x, core.canonical_dtype("int32"))
    if not _low.is_kind(x.dtype, "integer"):
        raise TypeError(f"x argument to bincount must have an integer type; got {x.dtype}")
    if x.ndim != 1:
        raise ValueError("only 1-dimensional input supported.")
    minlength = core.concrete_index(minlength, "The error occurred because of argument 'minlength' of jnp.bincount.")
    if length is None:
        known = core.concrete_numpy(x, "The error occurred because of argument 'x' of jnp.bincount. "
                                    "To avoid this error, pass a static `length` argument.")
        if known.size and core.is_tracer(largest := x.max()):
            max(0, largest)             # raises: what is known by itself is not known within a graph
        length = max(minlength, known.size and int(max(0, known.max())) + 1)
    else:
        length = core.concrete_dim(length, "The error occurred because of argument 'length' of jnp.bincount.")
    if weights is None:
        weights = core.numpy_scalar(1, core.default_int())
    elif x.shape != core.shape(weights):
        raise ValueError(f"type of weights must match type of x. Got typeof(x)={core.short_type_name(x)}({{}})"
                         f" and typeof(weights)={core.short_type_name(weights)}({{}})")
    zeros = core.full((length,), 0, core.dtype(weights))
    return at_update(zeros, clip(x, 0), weights, "scatter_add", mode="drop")


def flatnonzero(a, *, size=None, fill_value=None):
    return nonzero(ravel(a), size=size, fill_value=fill_value)[0]


def argwhere(a, *, size=None, fill_value=None):
    from ._join import vstack
    from ._manipulate import atleast_1d
    a = core.arraylike("argwhere", a)
    places = nonzero(atleast_1d(a), size=size, fill_value=fill_value)
    result = _low.transpose(vstack(places), (1, 0))
    if a.ndim == 0:
        return reshape_array(getitem(result, slice(None, 0)), (result.shape[0], 0))
    return reshape_array(result, (result.shape[0], a.ndim))


def extract(condition, arr, *, size=None, fill_value=0):
    core.check_arraylike("extreact", condition, arr, fill_value)
    return compress(ravel(condition), ravel(arr), size=size, fill_value=fill_value)


def take(a, indices, axis=None, out=None, mode=None, unique_indices=False, indices_are_sorted=False, fill_value=None):
    if mode in (None, "fill"):
        check_fill(a, fill_value)
    return _take(a, indices, None if axis is None else operator.index(axis), out, mode, unique_indices=unique_indices,
                 indices_are_sorted=indices_are_sorted, fill_value=fill_value)


def check_fill(a, fill_value):
    """Refuses a complex number that arrays of real ones are to be filled with: where that is run, not where it is traced."""
    if type(fill_value) is complex and core.is_arraylike(a) and core.trace_state_clean() and core.dtype_kind(core.dtype(a)) in ("int", "float"):
        (int if core.dtype_kind(core.dtype(a)) == "int" else float)(fill_value)


@core.jit(static_argnames=("axis", "mode", "unique_indices", "indices_are_sorted", "fill_value"))
def _take(a, indices, axis=None, out=None, mode=None, unique_indices=False, indices_are_sorted=False, fill_value=None):
    if out is not None:
        raise NotImplementedError("The 'out' argument to jnp.take is not supported.")
    a, indices = core.arraylike("take", a, indices)
    if axis is None:
        a, axis = ravel(a), 0
    else:
        axis = core.canonical_axis(axis, a.ndim)
    if mode is None or mode == "fill":
        gather_mode = "fill_or_drop"
        indices = _low.where(indices < 0, indices + a.shape[axis], indices)
    elif mode == "raise":
        raise NotImplementedError("The 'raise' mode to jnp.take is not supported.")
    elif mode == "wrap":
        from ._elementwise import mod
        indices = mod(indices, core.scalar_like(indices, a.shape[axis]))
        gather_mode = "promise_in_bounds"
    elif mode == "clip":
        gather_mode = "clip"
    else:
        raise ValueError(f"Invalid mode '{mode}' for np.take")
    shape, rank = a.shape, indices.ndim
    if shape[axis] == 0:
        if indices.size != 0:
            raise IndexError("Cannot do a non-empty jnp.take() from an empty axis.")
        return a
    if indices.size == 0:
        return core.full_like(a, 0, shape=shape[:axis] + indices.shape + shape[axis + 1:])
    dims = core.gather_dimension_numbers((*range(axis), *range(axis + rank, a.ndim + rank - 1)), (axis,), (axis,))
    sizes = shape[:axis] + (1,) + shape[axis + 1:]
    return gather(a, _low.expand_dims(indices, (rank,)), dims, sizes, gather_mode, fill_value, unique_indices, indices_are_sorted)


@core.jit(static_argnames=("axis", "mode", "fill_value", "wrap_negative_indices"))
def take_along_axis(arr, indices, axis=-1, mode=None, fill_value=None, *, wrap_negative_indices=None):
    a, indices = core.arraylike("take_along_axis", arr, indices)
    index_shape = indices.shape
    if not _low.is_kind(indices.dtype, "integer"):
        raise TypeError(f"take_along_axis indices must be of integer type, got {indices.dtype}")
    if axis is None:
        if indices.ndim != 1:
            raise ValueError(f"take_along_axis indices must be 1D if axis=None, got shape {index_shape}")
        a, axis = ravel(a), 0
    if a.ndim != indices.ndim:
        raise ValueError(f"indices and arr must have the same number of dimensions; {indices.ndim} vs. {a.ndim}")
    axis = core.canonical_axis(axis, a.ndim)
    size = a.shape[axis]
    others = a.shape[:axis] + (1,) + a.shape[axis + 1:]
    out_shape = core.broadcast_shapes(index_shape, others)
    if size == 0:
        return core.full(out_shape, 0, a.dtype)
    if wrap_negative_indices is None:
        wrap_negative_indices = mode != "promise_in_bounds"
    indices = core.convert(indices, core.canonical_dtype("int32") if wrap_negative_indices else indices.dtype)
    if wrap_negative_indices and indices.dtype.kind != "u":
        indices = p.select_n(indices < 0, indices, p.add(indices, core.scalar_like(indices, size)))
    if mode == "one_hot":
        return _take_by_one_hot(a, indices, axis, size)
    return _take_along(a, indices, axis, others, out_shape, mode, fill_value)


def _take_along(a, indices, axis, others, out_shape, mode, fill_value):
    """Each dimension but `axis` is taken whole (index size 1), squeezed (array size 1), or walked along with the index."""
    index_shape = indices.shape
    kept = [i for i, size in enumerate(index_shape) if i == axis or size != 1]
    starts = _low.reshape(indices, tuple(out_shape[i] for i in kept) + (1,))
    sizes, offset, start_map, collapsed, batch, index_batch, dropped = [], [], [], [], [], [], []
    place = walked = 0
    for i in range(a.ndim):
        if i == axis:
            sizes.append(1)
            start_map.append(place)
            collapsed.append(place)
            place += 1
            walked += 1
        elif index_shape[i] == 1:
            offset.append(i)
            sizes.append(others[i])
            place += 1
        elif others[i] == 1:
            dropped.append(i)
            walked += 1
        else:
            sizes.append(0 if others[i] == 0 else 1)
            batch.append(place)
            index_batch.append(walked)
            place += 1
            walked += 1
    dims = core.gather_dimension_numbers(tuple(offset), tuple(collapsed), tuple(start_map), tuple(batch), tuple(index_batch))
    from .._indexing import _mode
    return gather(_low.squeeze(a, dropped), starts, dims, sizes, _mode("fill" if mode is None else mode), fill_value)


def _take_by_one_hot(a, indices, axis, size):
    from jax import lax, nn
    from ._einsum import einsum
    hot = nn.one_hot(indices, size, dtype=bool)
    if a.ndim == 1:
        return einsum("...b,b->...", hot, a, preferred_element_type=a.dtype)
    letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
    if axis > len(letters) - 2:
        raise ValueError("One Hot indexing is only supported for up to 50 leading dimensions.")
    labels = letters[:axis]
    return einsum(f"{labels}y...z,{labels}z...->{labels}y...", hot, a, precision=lax.Precision.HIGHEST,
                  preferred_element_type=a.dtype)


@core.jit(static_argnames=("axis", "inplace", "mode"))
def put_along_axis(arr, indices, values, axis, inplace=True, *, mode=None):
    if inplace:
        raise ValueError("jax.numpy.put_along_axis cannot modify arrays in-place, because JAX arrays"
                         "are immutable. Pass inplace=False to instead return an updated array.")
    from ._creation import indices as grid
    arr, indices, values = core.arraylike("put_along_axis", arr, indices, values)
    shape, flat = arr.shape, axis is None
    if flat:
        arr, axis = ravel(arr), 0
    if arr.ndim != indices.ndim:
        raise ValueError(f"put_along_axis arguments 'arr' and 'indices' must have same ndim. Got arr.ndim={arr.ndim}"
                         f" and indices.ndim={indices.ndim}.")
    try:
        values = _low.broadcast_to(values, indices.shape)
    except ValueError:
        raise ValueError("put_along_axis argument 'values' must be broadcastable to 'indices'. Got "
                         f"values.shape={values.shape} and indices.shape={indices.shape}.")
    places = list(grid(arr.shape, sparse=True))
    places[axis] = indices
    result = at_update(arr, tuple(places), values, "scatter", mode=mode)
    return reshape_array(result, shape) if flat else result


def _tile_to_size(x, size):
    from ._manipulate import tile
    if x.size < size:
        x = tile(x, -(-size // x.size))
    return getitem(x, slice(None, size)) if x.size > size else x


def place(arr, mask, vals, *, inplace=True):
    arr, mask, vals = core.arraylike("place", arr, mask, vals)
    vals = ravel(vals)
    if inplace:
        raise ValueError("jax.numpy.place cannot modify arrays in-place, because JAX arrays are immutable. "
                         "Pass inplace=False to instead return an updated array.")
    if arr.size != mask.size:
        raise ValueError("place: arr and mask must be the same size")
    if not vals.size:
        raise ValueError("Cannot place values from an empty array")
    if not arr.size:
        return arr
    places = where(ravel(mask), size=mask.size, fill_value=mask.size)[0]
    vals = _tile_to_size(vals, places.shape[0])
    return reshape_array(at_update(ravel(arr), places, vals, "scatter", mode="drop"), arr.shape)


def put(a, ind, v, mode=None, *, inplace=True):
    if inplace:
        raise ValueError("jax.numpy.put cannot modify arrays in-place, because JAX arrays are immutable. "
                         "Pass inplace=False to instead return an updated array.")
    arr, places, values = core.arraylike("put", a, ind, v)
    places, values = ravel(places), ravel(values)
    if not arr.size or not places.size or not values.size:
        return arr
    values = _tile_to_size(values, places.shape[0])
    if mode is None:
        scatter_mode = "drop"
    elif mode == "clip":
        from ._rounding import clip
        places = clip(places, 0, arr.size - 1)
        scatter_mode = "promise_in_bounds"
    elif mode == "wrap":
        places = places % arr.size
        scatter_mode = "promise_in_bounds"
    elif mode == "raise":
        raise NotImplementedError("The 'raise' mode to jnp.put is not supported.")
    else:
        raise ValueError(f"mode should be one of 'wrap' or 'clip'; got mode={mode!r}")
    return at_update(arr, unravel_index(places, arr.shape), values, "scatter", mode=scatter_mode)


def unravel_index(indices, shape):
    from ._elementwise import divmod
    rest = core.arraylike("unravel_index", indices)
    try:
        shape = list(shape)
    except TypeError:
        shape = [shape]
    if any(core.ndim(size) != 0 for size in shape):
        raise ValueError("unravel_index: shape should be a scalar or 1D sequence.")
    out = [0] * len(shape)
    for i in reversed(range(len(shape))):
        rest, out[i] = divmod(rest, shape[i])
    above = rest > 0
    below = asarray(False) if rest.dtype.kind == "u" else rest < -1
    return tuple(where(above, size - 1, where(below, 0, i)) for size, i in zip(shape, out))


def ravel_multi_index(multi_index, dims, mode="raise", order="C", *, dtype=None):
    from ._creation import array
    from ._reductions import any as any_
    from ._rounding import clip
    assert len(multi_index) == len(dims), f"len(multi_index)={len(multi_index)} != len(dims)={len(dims)}"
    dims = tuple(core.concrete_index(d, "in `dims` argument of ravel_multi_index().") for d in dims)
    core.check_arraylike("ravel_multi_index", *multi_index)
    indices = [core.asarray(i) for i in multi_index]
    dtype = core.result_type(int, *indices) if dtype is None else core.user_dtype(dtype, "ravel_multi_index")
    if not _low.is_kind(dtype, "integer"):
        raise ValueError(f"dtype={dtype!r} is not an integer type.")
    if math.prod(dims) - 1 > core.iinfo(dtype).max:
        raise ValueError(f"jnp.ravel_multi_index: dtype={dtype!r} not large enough to hold flattened index for dims={dims}. "
                         "Use the dtype argument to pass a suitable dtype (e.g. dtype=np.min_scalar_type(prod(dims))).")
    for index in indices:
        if mode == "raise":
            core.concrete(index, "The error occurred because ravel_multi_index was jit-compiled with mode='raise'. "
                          "Use mode='wrap' or mode='clip' instead.")
        if not _low.is_kind(index.dtype, "integer"):
            raise TypeError("only int indices permitted")
    if mode == "raise":
        if any(any_((i < 0) | (i >= d)) for i, d in zip(indices, dims)):
            raise ValueError("invalid entry in coordinates array")
    elif mode == "clip":
        indices = [clip(i, 0, d - 1) for i, d in zip(indices, dims)]
    elif mode == "wrap":
        indices = [i % d for i, d in zip(indices, dims)]
    elif mode != "ignore":
        raise ValueError(f"invalid mode={mode!r}. Expected 'raise', 'wrap', 'clip', or 'ignore'.")
    if order not in ("C", "F"):
        raise ValueError(f"invalid order={order!r}. Expected 'C' or 'F'")
    strides, stride = [], 1
    for size in dims if order == "F" else dims[::-1]:
        strides.append(stride)
        stride *= size
    result = array(0, dtype=dtype)
    for index, stride in zip(indices, strides if order == "F" else strides[::-1]):
        result = result + core.convert(index, dtype) * stride
    return result


def compress(condition, a, axis=None, *, size=None, fill_value=0, out=None):
    from ._manipulate import moveaxis
    condition, a, fill_value = core.arraylike("compress", condition, a, fill_value)
    condition = condition if condition.dtype == bool else condition.astype(bool)
    if out is not None:
        raise NotImplementedError("The 'out' argument to jnp.compress is not supported.")
    if condition.ndim != 1:
        raise ValueError("condition must be a 1D array")
    if axis is None:
        a, axis = ravel(a), 0
    else:
        a = moveaxis(a, axis, 0)
    length = a.shape[0]
    condition, extra = getitem(condition, slice(None, length)), getitem(condition, slice(length, None))
    a = getitem(a, slice(None, condition.shape[0]))
    if size is None:
        from ._reductions import any
        if any(extra):
            raise ValueError("condition contains entries that are out of bounds")
        return moveaxis(getitem(a, condition), 0, axis)
    if not 0 <= size <= a.shape[0]:
        raise ValueError("size must be positive and not greater than the size of the array axis; "
                         f"got size={size} for a.shape[axis]={a.shape[0]}")
    from ._creation import array
    from ._sorting import argsort
    mask = _low.expand_dims(condition, tuple(range(1, a.ndim)))
    a = _low.where(mask, a, array(fill_value, dtype=a.dtype))
    picked = getitem(a, argsort(condition, stable=True, descending=True))
    return moveaxis(getitem(picked, slice(None, size)), 0, axis)


def ix_(*args):
    core.check_arraylike("ix", *args)
    output = []
    for i, a in enumerate(args):
        a = core.asarray(a)
        if a.ndim != 1:
            raise ValueError(f"Arguments to jax.numpy.ix_ must be 1-dimensional, got shape {a.shape}")
        if a.dtype == bool:
            raise NotImplementedError("Boolean arguments to jax.numpy.ix_ are not implemented")
        shape = tuple(a.shape[0] if i == j else 1 for j in range(len(args)))
        if a.size == 0:
            output.append(core.full(shape, 0, core.default_int()))
        else:
            output.append(_low.broadcast_in_dim(a, shape, (i,)))
    return tuple(output)


def choose(a, choices, out=None, mode="raise"):
    if out is not None:
        raise NotImplementedError("The 'out' argument to jnp.choose is not supported.")
    from ._creation import array, indices
    from ._reductions import any
    from ._rounding import clip
    core.check_arraylike("choose", a, *choices)
    a, choices = core.asarray(a), [core.asarray(c) for c in choices]
    if not _low.is_kind(a.dtype, "integer"):
        raise ValueError("`a` array must be integer typed")
    count = len(choices)
    if mode == "raise":
        core.concrete(a, "The error occurred because jnp.choose was jit-compiled with mode='raise'. "
                      "Use mode='wrap' or mode='clip' instead.")
        if any((a < 0) | (a >= count)):
            raise ValueError("invalid entry in choice array")
    elif mode == "wrap":
        a = a % count
    elif mode == "clip":
        a = clip(a, 0, count - 1)
    else:
        raise ValueError(f"mode={mode!r} not understood. Must be 'raise', 'wrap', or 'clip'")
    a, *choices = _low.broadcast_arrays(a, *choices)
    return getitem(array(choices), (a,) + indices(a.shape, sparse=True))


def select(condlist, choicelist, default=0):
    if len(condlist) != len(choicelist):
        raise ValueError(f"condlist must have length equal to choicelist ({len(condlist)} vs {len(choicelist)})")
    if len(condlist) == 0:
        raise ValueError("condlist must be non-empty")
    from ._join import stack
    from ._sorting import argmax
    core.check_arraylike("select", *condlist, *choicelist, default)
    conditions = [asarray(c) for c in condlist]
    values = core.promote_dtypes(asarray(default), *[asarray(c) for c in choicelist])
    stacked = stack(_low.broadcast_arrays(core.asarray(False), *conditions))
    which = argmax(core.convert(stacked, core.canonical_dtype(bool)), axis=0)
    return p.select_n(*_low.broadcast_arrays(which, *values))


def _triangle_size(n, m, k):
    if k < 0:
        return n * m - _triangle_size(m, n, 1 - k)
    if k >= m:
        return 0
    rows = min(n, m - k)
    return rows * (rows + 1) // 2 + rows * (m - k - rows)


def _triangle_indices(n, k, m, upper):
    from ._creation import ones, tril, triu
    n = core.concrete_dim(n, "n argument of jnp.triu_indices")
    k = core.concrete_dim(k, "k argument of jnp.triu_indices")
    m = n if m is None else core.concrete_dim(m, "m argument of jnp.triu_indices")
    size = _triangle_size(n, m, k) if upper else _triangle_size(m, n, -k)
    i, j = nonzero((triu if upper else tril)(ones((n, m)), k=k), size=size)
    return i, j


def triu_indices(n, k=0, m=None):
    return _triangle_indices(n, k, m, True)


def tril_indices(n, k=0, m=None):
    return _triangle_indices(n, k, m, False)


def _indices_from(name, arr, k, upper):
    shape = arr.shape if hasattr(arr, "shape") else core.arraylike(name, arr).shape
    if len(shape) != 2:
        raise ValueError("Only 2-D inputs are accepted")
    return _triangle_indices(shape[0], k, shape[1], upper)


def triu_indices_from(arr, k=0):
    return _indices_from("triu_indices_from", arr, k, True)


def tril_indices_from(arr, k=0):
    return _indices_from("tril_indices_from", arr, k, False)


def mask_indices(n, mask_func, k=0, *, size=None):
    from ._creation import ones
    i, j = nonzero(mask_func(ones((n, n)), k), size=size)
    return i, j


def diag_indices(n, ndim=2):
    n = core.concrete_index(n, "'n' argument of jnp.diag_indices()")
    ndim = core.concrete_index(ndim, "'ndim' argument of jnp.diag_indices()")
    if n < 0:
        raise ValueError(f"n argument to diag_indices must be nonnegative, got {n}")
    if ndim < 0:
        raise ValueError(f"ndim argument to diag_indices must be nonnegative, got {ndim}")
    return (_low.iota(core.default_int(), n),) * ndim


def diag_indices_from(arr):
    arr = core.arraylike("diag_indices_from", arr)
    if arr.ndim < 2:
        raise ValueError("input array must be at least 2-d")
    if len(set(arr.shape)) != 1:
        raise ValueError("All dimensions of input must be of equal length")
    return diag_indices(arr.shape[0], ndim=arr.ndim)


def fill_diagonal(a, val, wrap=False, *, inplace=True):
    if inplace:
        raise NotImplementedError("JAX arrays are immutable, must use inplace=False")
    if wrap:
        raise NotImplementedError("wrap=True is not implemented, must use wrap=False")
    a, val = core.arraylike("fill_diagonal", a, val)
    if a.ndim < 2:
        raise ValueError("array must be at least 2-d")
    if a.ndim > 2 and any(size != a.shape[0] for size in a.shape[1:]):
        raise ValueError("All dimensions of input must be of equal length")
    n = min(a.shape)
    places = diag_indices(n, a.ndim)
    return at_update(a, places, val if val.ndim == 0 else _tile_to_size(ravel(val), n), "scatter")
