"""BCOO arrays of other shapes: layouts, broadcasts, parts, sums."""
import math
import operator
import warnings

from _jitlens import core

from ... import lax
from ... import numpy as jnp
from ._bcoo_checks import sparse_fill, validate, validate_permutation
from ._bcoo_duplicates import sum_duplicates_buffers
from .util import SparseEfficiencyError, SparseEfficiencyWarning, SparseInfo, nfold_vmap, replaced, split, types_of


# --------------------------------------------------------------------------------------------------------------- layout

def update_layout_buffers(mat, n_batch, n_dense, on_inefficient):
    """The buffers of an array of the same elements with other numbers of batch and dense axes."""
    _check_layout(mat, n_batch, n_dense, on_inefficient)
    data, indices, shape = mat.data, mat.indices, mat.shape
    batch = mat.n_batch
    if n_dense < mat.n_dense:
        data, indices = _dense_to_sparse(data, indices, batch, mat.n_dense - n_dense)
    if n_batch < batch:
        data, indices = _batch_to_sparse(data, indices, n_batch, batch - n_batch)
        batch = n_batch
    if n_dense > mat.n_dense:
        count, whole = n_dense - mat.n_dense, shape[-n_dense:]

        def to_dense(d, i):
            return jnp.zeros_like(d, shape=whole).at[tuple([i[k] for k in range(i.shape[0] - count, i.shape[0])])].set(d), i[:-count]
        data, indices = nfold_vmap(to_dense, batch + 1)(data, indices)
    if n_batch > batch:
        count, sizes = n_batch - batch, shape[batch:n_batch]

        def to_batch(d, i):
            nse = i.shape[-2]
            places = tuple([i[:, j] for j in range(count)]) + (jnp.arange(nse),)
            i = jnp.broadcast_to(i[:, count:], (*sizes, nse, i.shape[-1] - count))
            return jnp.zeros_like(d, shape=(*sizes, nse, *d.shape[d.ndim - n_dense:])).at[places].set(d), i
        data, indices = nfold_vmap(to_batch, batch)(data, indices)
    return data, indices


def _dense_to_sparse(data, indices, n_batch, count):
    def one(d, i):
        sizes = d.shape[:count]
        flat = d.reshape(math.prod(sizes), *d.shape[count:])
        grid = jnp.meshgrid(*[jnp.arange(s, dtype=i.dtype) for s in sizes], indexing="ij")
        return flat, jnp.column_stack([jnp.broadcast_to(i, (flat.shape[0], i.size)), *[jnp.ravel(g) for g in grid]])
    data, indices = nfold_vmap(one, n_batch + 1)(data, indices)
    return [x.reshape(*x.shape[:n_batch], math.prod(x.shape[n_batch:n_batch + 2]), *x.shape[n_batch + 2:]) for x in (data, indices)]


def _batch_to_sparse(data, indices, n_batch, count):
    def one(d, i):
        nse = i.shape[-2]
        flat = d.reshape(math.prod(d.shape[:count + 1]), *d.shape[count + 1:])
        grid = jnp.meshgrid(*[jnp.arange(s, dtype=i.dtype) for s in (*i.shape[:count], nse)], indexing="ij")
        i = i.reshape(math.prod(i.shape[:count + 1]), *i.shape[count + 1:])
        return flat, jnp.column_stack([*[g.ravel() for g in grid[:-1]], i])
    return nfold_vmap(one, n_batch)(data, indices)


def _check_layout(mat, n_batch, n_dense, on_inefficient):
    if on_inefficient not in ["error", "warn", None]:
        raise ValueError("on_inefficent={on_inefficient!r}; expected one of ['error', 'warn', None].")
    if n_batch < 0:
        raise ValueError(f"n_batch must be non-negative; got {n_batch}")
    if n_dense < 0:
        raise ValueError(f"n_dense must be non-negative; got {n_dense}")
    if mat.ndim - n_batch - n_dense < 0:
        raise ValueError(f"sum of {n_batch=} and {n_dense=} "
                         f"cannot be larger than mat.ndim={mat.ndim}.")
    for name, new, old, sizes in (("n_dense", n_dense, mat.n_dense, mat.shape[-n_dense:mat.ndim - mat.n_dense]),
                                  ("n_batch", n_batch, mat.n_batch, mat.shape[mat.n_batch:n_batch])):
        if new > old and any([size > 1 for size in sizes]):
            text = f"For matrix of shape {mat.shape}, increasing {name} from {old} to {new} results in inefficient storage."
            if on_inefficient == "error":
                raise SparseEfficiencyError(text + " To disable this error, set the on_inefficient argument "
                                            "of bcoo_update_layout to 'warn' or None.")
            if on_inefficient == "warn":
                warnings.warn(text + " To disable this warning, set the on_inefficient argument "
                              "of bcoo_update_layout to None.", category=SparseEfficiencyWarning)


def with_nse(mat, nse):
    """The buffers with so many elements."""
    data, indices, n = mat.data, mat.indices, mat.n_batch
    if nse <= mat.nse:
        return data[(slice(None),) * n + (slice(nse),)], indices[..., :nse, :]
    more = jnp.zeros_like(data, shape=(*data.shape[:n], nse, *data.shape[n + 1:]))
    more = more.at[(slice(None),) * n + (slice(mat.nse),)].set(data)
    places = jnp.zeros_like(indices, shape=(*indices.shape[:-2], nse, indices.shape[-1])).at[..., :mat.nse, :].set(indices)
    return more, places.at[..., mat.nse:, :].set(sparse_fill(indices, mat.shape, n, mat.n_sparse, axes=False))


# ----------------------------------------------------------------------------------------------------------- broadcasts

def broadcast_buffers(data, indices, *, spinfo, shape, broadcast_dimensions):
    if len(spinfo.shape) != len(broadcast_dimensions):
        raise ValueError(f"{spinfo.shape=} and {broadcast_dimensions=} must have the same length")
    n_batch, n_sparse, n_dense, nse = validate(data, indices, spinfo.shape)
    batch, sparse, dense = split(tuple(broadcast_dimensions), n_batch, n_sparse)
    if max(batch, default=0) > min(sparse, default=len(shape)):
        raise ValueError("Cannot mix batch and sparse dimensions during broadcast_in_dim")
    if max(sparse, default=0) > min(dense, default=len(shape)):
        raise ValueError("Cannot mix sparse and dense dimensions during broadcast_in_dim")
    # What is new in front of a sparse or dense axis is a batch axis.
    new_batch = min(broadcast_dimensions[n_batch:], default=len(shape))
    new_dense = n_dense and len(shape) - min(broadcast_dimensions[-n_dense:])
    new_sparse = len(shape) - new_batch - new_dense
    if math.prod(spinfo.shape[n_batch:n_batch + n_sparse]) != math.prod(shape[new_batch:new_batch + new_sparse]):
        raise NotImplementedError("Adding sparse dimensions with lengths != 1")
    if (new_batch, new_dense) != (n_batch, n_dense):
        data = lax.broadcast_in_dim(data, (*shape[:new_batch], nse, *shape[new_batch + new_sparse:]),
                                    (*batch, new_batch, *[b + 1 - new_sparse for b in dense]))
        indices = lax.broadcast_in_dim(indices, (*shape[:new_batch], nse, n_sparse), (*batch, new_batch, new_batch + 1))
    if new_sparse != n_sparse:
        places = jnp.array(sparse, int) - new_batch
        indices = jnp.zeros_like(indices, shape=(*shape[:new_batch], nse, new_sparse)).at[..., places].set(indices)
    return data, indices


def concatenate_buffers(operands, dimension):
    """The buffers of arrays of one layout, one behind the other."""
    n_batch, n_sparse = operands[0].n_batch, operands[0].n_sparse
    index_batches, data_batches = [op.indices.shape[:n_batch] for op in operands], [op.data.shape[:n_batch] for op in operands]
    if dimension < n_batch:
        index_batches = [s[:dimension] + s[dimension + 1:] for s in index_batches]
        data_batches = [s[:dimension] + s[dimension + 1:] for s in data_batches]
    if not len(set(index_batches)) == len(set(data_batches)) == 1:
        raise NotImplementedError("concatenation of arrays with broadcasted batch indices")
    if dimension < n_batch:
        nse = max([op.nse for op in operands])
        pairs = [op._bufs if op.nse == nse else with_nse(op, nse) for op in operands]
        indices = lax.concatenate([i for _, i in pairs], dimension=dimension)
        return lax.concatenate([d for d, _ in pairs], dimension=dimension), indices
    if dimension < n_batch + n_sparse:
        import numpy as np
        offsets = np.cumsum([0] + [op.shape[dimension] for op in operands[:-1]], dtype=operands[0].indices.dtype)
        data = lax.concatenate([op.data for op in operands], dimension=n_batch)
        moved = [op.indices.at[..., dimension - n_batch].add(offset) for op, offset in zip(operands, offsets)]
        return data, lax.concatenate(moved, dimension=n_batch)
    raise NotImplementedError("Concatenation along dense dimensions.")


def reshape_buffers(mat, new_sizes, dimensions):
    n_batch, n_sparse, nse = mat.n_batch, mat.n_sparse, mat.nse
    if mat.indices.shape[:n_batch] != mat.data.shape[:n_batch] != mat.shape[:n_batch]:
        raise NotImplementedError("reshape of arrays with broadcasted batch dimensions.")
    batch_shape, sparse_shape, _ = split(mat.shape, n_batch, n_sparse)
    batch, sparse, dense = validate_permutation(mat.data, mat.indices, dimensions or tuple(range(mat.ndim)), mat.shape)
    batch_size, sparse_size = math.prod(batch_shape), math.prod(sparse_shape)
    products = [math.prod(new_sizes[:i + 1]) for i in range(len(new_sizes))]
    if batch_size != 1 and batch_size not in products:
        raise ValueError("bcoo_reshape: new shape cannot mix batch and sparse dimensions; "
                         f"got shape={mat.shape} new_shape={new_sizes} with n_batch={mat.n_batch}")
    if sparse_size != 1 and batch_size * sparse_size not in products:
        raise ValueError("bcoo_reshape: new shape cannot mix sparse and dense dimensions; "
                         f"got shape={mat.shape} new_shape={new_sizes} with n_dense={mat.n_dense}")
    # Leading axes of size 1 become batch axes.
    first, count = [len([p for p in products if p <= size]) for size in (batch_size, batch_size * sparse_size)]
    new_batch, new_sparse, new_dense = split(tuple(new_sizes), first, count)
    data = lax.reshape(mat.data, (*new_batch, nse, *new_dense), (*batch, n_batch, *[p + n_batch + 1 for p in dense]))
    indices = lax.reshape(mat.indices, (*new_batch, nse, n_sparse), (*batch, n_batch, n_batch + 1))
    if not new_sparse:
        indices = jnp.zeros_like(indices, shape=(*new_batch, nse, 0))
    elif sparse_shape:
        columns = tuple([indices[..., i] for i in sparse])
        flat = jnp.ravel_multi_index(columns, dims=tuple([int(sparse_shape[i]) for i in sparse]), mode="clip")
        out = (indices >= jnp.array(sparse_shape, dtype=indices.dtype)).any(-1, keepdims=True)
        columns = jnp.unravel_index(flat, new_sparse)
        indices = jnp.concatenate([column[..., None] for column in columns], axis=-1)
        indices = jnp.where(out, jnp.array(new_sparse, dtype=indices.dtype), indices)
    return data, indices


def rev_buffers(mat, dimensions):
    n_batch, n_sparse = mat.n_batch, mat.n_sparse
    types_of(lambda x: lax.rev(x, dimensions), core.ShapedArray(mat.shape, mat.dtype))
    batch = [d for d in dimensions if d < n_batch]
    sparse = [d - n_batch for d in dimensions if n_batch <= d < n_batch + n_sparse]
    dense = [d + 1 - n_sparse for d in dimensions if d >= n_batch + n_sparse]
    data, indices = mat.data, mat.indices
    if batch:
        indices = lax.rev(indices, dimensions=batch)
    if batch or dense:
        data = lax.rev(data, dimensions=batch + dense)
    if sparse:
        sizes = sparse_fill(indices, mat.shape, n_batch, n_sparse, axes=False)
        places = jnp.array(sparse)
        indices = indices.at[..., places].mul(-1)
        indices = indices.at[..., places].add(sizes[places] - 1)
        indices = jnp.where(indices < 0, sizes, indices)
    return data, indices


def squeeze_buffers(mat, dimensions):
    import numpy as np
    if any([mat.shape[d] != 1 for d in dimensions]):
        raise ValueError("cannot select an axis to squeeze out which has size not equal to one, "
                         f"got shape={mat.shape} and {dimensions=}")
    batch = tuple([d for d in dimensions if d < mat.n_batch])
    kept = np.array([i for i in range(mat.n_sparse) if i + mat.n_batch not in dimensions], dtype=int)
    dense = tuple([d - mat.n_sparse + 1 for d in dimensions if d >= mat.n_batch + mat.n_sparse])
    data = lax.squeeze(mat.data, batch + dense)
    return data, lax.squeeze(mat.indices[..., kept], batch)


# ---------------------------------------------------------------------------------------------------------------- parts

def slice_buffers(mat, start_indices, limit_indices, strides):
    """The buffers and the shape of a part."""
    starts, limits = [operator.index(i) for i in start_indices], [operator.index(i) for i in limit_indices]
    strides = [1] * mat.ndim if strides is None else [operator.index(i) for i in strides]
    if len(starts) != len(limits) != len(strides) != mat.ndim:
        raise ValueError(f"bcoo_slice: indices must have size mat.ndim={mat.ndim}")
    if len(strides) != mat.ndim:
        raise ValueError(f"len(strides) = {len(strides)}; expected {mat.ndim}")
    if any([s <= 0 for s in strides]):
        raise ValueError(f"strides must be a sequence of positive integers; got {strides}")
    if not all([0 <= a <= b <= size for a, b, size in zip(starts, limits, mat.shape)]):
        raise ValueError(f"bcoo_slice: invalid indices. Got start_indices={starts}, "
                         f"limit_indices={limits} and shape={mat.shape}")
    n_batch, n_sparse = mat.n_batch, mat.n_sparse
    slices = [slice(a, b, s) for a, b, s in zip(starts, limits, strides)]
    whole = slice(None)
    data = mat.data[tuple([s if mat.data.shape[i] == mat.shape[i] else whole for i, s in enumerate(slices[:n_batch])] + [whole]
                          + slices[n_batch + n_sparse:])]
    indices = mat.indices[tuple([s if mat.indices.shape[i] == mat.shape[i] else whole for i, s in enumerate(slices[:n_batch])]
                                + [whole, whole])]
    shape = tuple([(b - a + s - 1) // s for a, b, s in zip(starts, limits, strides)])
    if n_sparse:
        begin, end, step = [sparse_fill(indices, x, n_batch, n_sparse) for x in (starts, limits, strides)]
        keep = jnp.all((indices >= begin) & (indices < end) & ((indices - begin) % step == 0), axis=-1, keepdims=True)
        indices = jnp.where(keep, (indices - begin + step - 1) // step, (end - begin + step - 1) // step)
        data, indices = _kept(mat, data, indices, keep, shape)
    return data, indices, shape


def _kept(mat, data, indices, keep, shape):
    """The elements outside of a part are zero, and no more are stored than it has."""
    n_batch, n_sparse = mat.n_batch, mat.n_sparse
    data = jnp.where(lax.expand_dims(keep[..., 0], tuple(range(n_batch + 1, n_batch + 1 + mat.n_dense))), data, 0)
    most = math.prod(shape[n_batch:n_batch + n_sparse])
    if mat.nse > most:
        return sum_duplicates_buffers(data, indices, spinfo=SparseInfo(shape=shape), nse=most)
    return data, indices


def dynamic_slice_buffers(mat, start_indices, slice_sizes):
    starts = tuple([jnp.asarray(i) for i in start_indices])
    assert all([jnp.issubdtype(i.dtype, jnp.integer) for i in starts])
    assert all([i.shape == () for i in starts])
    if len(starts) != len(slice_sizes) != mat.ndim:
        raise ValueError(f"bcoo_dynamic_slice: indices must have size mat.ndim={mat.ndim}")
    if not all([0 <= size <= whole for size, whole in zip(slice_sizes, mat.shape)]):
        raise TypeError("slice_sizes must be less than or equal to operand shape, "
                        f"got slice_sizes {slice_sizes} for operand shape {mat.shape}")
    n_batch, n_sparse = mat.n_batch, mat.n_sparse
    zero = jnp.zeros((), starts[0].dtype if starts else jnp.int32)

    def batch(x):
        """Where the batch axes of a buffer begin, and how many there are."""
        full = [x.shape[i] == mat.shape[i] for i in range(n_batch)]
        return [s if f else zero for s, f in zip(starts, full)], [s if f else 1 for s, f in zip(slice_sizes, full)]

    at, sizes = batch(mat.data)
    data = lax.dynamic_slice(mat.data, [*at, zero, *starts[n_batch + n_sparse:]], [*sizes, mat.nse, *slice_sizes[n_batch + n_sparse:]])
    at, sizes = batch(mat.indices)
    indices = lax.dynamic_slice(mat.indices, [*at, zero, zero], [*sizes, mat.nse, n_sparse])
    if n_sparse:
        begin = jnp.array(starts[n_batch:n_batch + n_sparse], dtype=indices.dtype)
        sizes, whole = [sparse_fill(indices, x, n_batch, n_sparse, axes=False) for x in (slice_sizes, mat.shape)]
        begin = jnp.clip(jnp.where(begin < 0, begin + whole, begin), 0, whole - sizes)
        axes = tuple(range(n_batch + 1))
        begin, sizes = jnp.expand_dims(begin, axes), jnp.expand_dims(sizes, axes)
        keep = jnp.all((indices >= begin) & (indices < begin + sizes), -1, keepdims=True)
        indices = jnp.where(keep, indices - begin, sizes)
        data, indices = _kept(mat, data, indices, keep, tuple(slice_sizes))
    return data, indices


# ----------------------------------------------------------------------------------------------------------------- sums

def reduce_sum_buffers(data, indices, *, spinfo, axes):
    """The buffers and the shape of a sum. Sums over sparse axes are made where the elements are used."""
    shape = spinfo.shape
    assert all([0 <= a < len(shape) for a in axes])
    n_batch, n_sparse, _, nse = validate(data, indices, shape)
    axes = sorted(set(axes))
    data = data.sum(tuple([ax - n_sparse + 1 for ax in axes if ax >= n_batch + n_sparse]))
    if n_sparse:
        mask = jnp.all(indices < sparse_fill(indices, shape, n_batch, n_sparse), -1)
        if data.ndim > mask.ndim:
            mask = lax.expand_dims(mask, tuple(range(mask.ndim, data.ndim)))
        data = jnp.where(mask, data, 0)
    kept = [i for i in range(n_sparse) if i + n_batch not in axes]
    if kept:
        import numpy as np
        indices = indices[..., np.array(kept)]
    else:
        indices = jnp.zeros(replaced(indices.shape, n_batch + 1, 0), indices.dtype)
    batch_axes = [ax for ax in axes if ax < n_batch]
    for ax in batch_axes:
        if data.shape[ax] == 1 and indices.shape[ax] == 1:
            data = data * shape[ax]
        elif data.shape[ax] == 1:
            data = lax.broadcast_in_dim(data, replaced(data.shape, ax, shape[ax]), tuple(range(data.ndim)))
        elif indices.shape[ax] == 1:
            data = data.sum(ax)
        assert data.shape[ax] == indices.shape[ax]
    rest = tuple([i for i in range(n_batch) if i not in batch_axes])
    lead = (*[data.shape[i] for i in rest], nse * math.prod([data.shape[i] for i in batch_axes]))

    def joined(x):
        return lax.reshape(x, (*lead, *x.shape[n_batch + 1:]), (*rest, *batch_axes, *range(n_batch, x.ndim)))
    return joined(data), joined(indices), tuple([size for i, size in enumerate(shape) if i not in axes])
