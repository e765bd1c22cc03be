"""`jax.experimental.sparse.bcoo`: arrays as lists of elements with their indices, in batches and of dense blocks."""
import operator

import numpy as np

from _jitlens import core

from ... import lax, tree_util
from ... import numpy as jnp
from ..._vmap import vmap
from ...interpreters import batching
from . import _bcoo_shapes as shapes
from ._base import JAXSparse
from ._bcoo_checks import BCOOProperties, sparse_fill, validate  # noqa: F401
from ._bcoo_duplicates import bcoo_sort_indices_p, bcoo_sum_duplicates_p, sort_indices_buffers, sum_duplicates_buffers  # noqa: F401
from ._bcoo_primitives import (  # noqa: F401
    TRACED_NSE_ERROR, bcoo_extract_p, bcoo_fromdense_p, bcoo_todense_p, bcoo_transpose_p, extract_buffers, fromdense_buffers, stored_elements,
    todense_buffers, transpose_buffers)
from ._bcoo_products import (  # noqa: F401
    bcoo_dot_general_p, bcoo_dot_general_sampled, bcoo_dot_general_sampled_p, bcoo_spdot_general_p, dot_general_buffers,
    multiply_dense_buffers, multiply_sparse_buffers, rdot_general_buffers, spdot_general_buffers)
from .util import SparseInfo, dot_aval, nfold_vmap, split, types_of


@tree_util.register_pytree_node_class
class BCOO(JAXSparse):
    """An array of which `data` are elements (or dense blocks) and `indices` their places. Most operators are in `transform`."""

    def __init__(self, args, *, shape, indices_sorted=False, unique_indices=False):
        self.data, self.indices = [jnp.asarray(x) for x in args]
        self.indices_sorted, self.unique_indices = indices_sorted, unique_indices
        super().__init__(args, shape=tuple(shape))
        validate(self.data, self.indices, self.shape)

    nse = property(lambda self: self.indices.shape[-2])
    dtype = property(lambda self: self.data.dtype)
    n_batch = property(lambda self: self.indices.ndim - 2)
    n_sparse = property(lambda self: self.indices.shape[-1])
    n_dense = property(lambda self: self.data.ndim - 1 - self.n_batch)
    _info = property(lambda self: SparseInfo(self.shape, self.indices_sorted, self.unique_indices))
    _bufs = property(lambda self: (self.data, self.indices))

    def _counts(self):
        text = f", nse={self.nse}"
        if self.n_batch:
            text += f", n_batch={self.n_batch}"
        return text + f", n_dense={self.n_dense}" if self.n_dense else text

    @classmethod
    def fromdense(cls, mat, *, nse=None, index_dtype=np.int32, n_dense=0, n_batch=0):
        return bcoo_fromdense(mat, nse=nse, index_dtype=index_dtype, n_dense=n_dense, n_batch=n_batch)

    @classmethod
    def from_scipy_sparse(cls, mat, *, index_dtype=None, n_dense=0, n_batch=0):
        if n_dense != 0 or n_batch != 0:
            raise NotImplementedError("BCOO.fromscipy with nonzero n_dense/n_batch")
        mat = mat.tocoo()
        indices = jnp.column_stack((mat.row, mat.col)).astype(index_dtype or jnp.int32)
        return cls((jnp.asarray(mat.data), indices), shape=mat.shape)

    @classmethod
    def _empty(cls, shape, *, dtype=None, index_dtype="int32", n_dense=0, n_batch=0, nse=0):
        shape = tuple(shape)
        n_sparse = len(shape) - n_dense - n_batch
        if n_sparse < 0 or n_dense < 0 or n_batch < 0 or nse < 0:
            raise ValueError(f"Invalid inputs: {shape=}, {n_dense=}, {n_batch=}, {nse=}")
        batch, sparse, dense = split(shape, n_batch, n_sparse)
        data = jnp.zeros((*batch, nse, *dense), dtype)
        indices = jnp.full((*batch, nse, n_sparse), jnp.array(sparse), index_dtype)
        return cls((data, indices), shape=shape, indices_sorted=True, unique_indices=True)

    @classmethod
    def _eye(cls, N, M, k, *, dtype=None, index_dtype="int32", n_batch=0, n_dense=0):
        if 2 - n_batch - n_dense < 0 or n_dense < 0 or n_batch < 0:
            raise ValueError(f"Invalid inputs: shape={(N, M)}, {n_dense=}, {n_batch=}")
        size = min(N, M - k) if k > 0 else min(N + k, M)
        if size <= 0:
            return cls._empty((N, M), dtype=dtype, index_dtype=index_dtype, n_batch=n_batch, n_dense=n_dense)
        if n_dense > 0 or n_batch > 1:
            return cls.fromdense(jnp.eye(N, M, k, dtype=dtype), n_batch=n_batch, n_dense=n_dense, index_dtype=index_dtype)
        if n_batch == 0:
            data = jnp.ones(size, dtype=dtype)
            indices = jnp.column_stack(diagonal(size, k, index_dtype))
        else:
            data = jnp.ones(N, dtype=dtype)
            indices = jnp.arange(N, dtype=index_dtype)
            indices = indices + jnp.array(k, indices.dtype)
            if k < 0:
                data, indices = data.at[:abs(k)].set(0), indices.at[:abs(k)].set(M)
            elif k > 0:
                data, indices = data.at[M - abs(k):].set(0), indices.at[M - abs(k)].set(M)
            data, indices = data[:, None], indices[:, None, None]
        return cls((data, indices), shape=(N, M), indices_sorted=True, unique_indices=True)

    def update_layout(self, *, n_batch=None, n_dense=None, on_inefficient="error"):
        return bcoo_update_layout(self, n_batch=n_batch, n_dense=n_dense, on_inefficient=on_inefficient)

    def sum_duplicates(self, nse=None, remove_zeros=True):
        return bcoo_eliminate_zeros(self, nse=nse) if remove_zeros else bcoo_sum_duplicates(self, nse=nse)

    def sort_indices(self):
        return bcoo_sort_indices(self)

    def todense(self):
        return bcoo_todense(self)

    def transpose(self, axes=None):
        perm = list(range(self.ndim)[::-1] if axes is None else axes)
        found = bcoo_transpose(self, permutation=perm)
        kept = [p - self.n_batch for p in perm[self.n_batch:self.n_batch + self.n_sparse]] == list(range(self.n_sparse))
        return BCOO((found.data, found.indices), shape=tuple([self.shape[i] for i in perm]), indices_sorted=kept and self.indices_sorted,
                    unique_indices=self.unique_indices)

    def tree_flatten(self):
        return (self.data, self.indices), self._info._asdict()

    @classmethod
    def tree_unflatten(cls, aux_data, children):
        obj = object.__new__(cls)
        obj.data, obj.indices = children
        if aux_data.keys() != {"shape", "indices_sorted", "unique_indices"}:
            raise ValueError(f"BCOO.tree_unflatten: invalid {aux_data=}")
        obj.shape, obj.indices_sorted = aux_data["shape"], aux_data["indices_sorted"]
        obj.unique_indices = aux_data["unique_indices"]
        return obj


def diagonal(size, k, index_dtype):
    """Rows and columns of the elements of the k-th diagonal."""
    places = jnp.arange(size, dtype=index_dtype)
    zero, k = jnp.array(0, places.dtype), jnp.array(k, places.dtype)
    rows = lax.sub(places, lax.cond(k >= 0, lambda: zero, lambda: k))
    return rows, lax.add(places, lax.cond(k <= 0, lambda: zero, lambda: k))


# ---------------------------------------------------------------------------------------------------------------- vmap

def _to_element(cont, _, value, axis):
    if axis is None:
        return value
    if axis >= value.n_batch:
        raise ValueError(f"Cannot map in_axis={axis} for BCOO array with n_batch={value.n_batch}. "
                         "in_axes for batched BCOO operations must correspond to a batch dimension.")
    return BCOO((cont(value.data, axis), cont(value.indices, axis)), shape=value.shape[:axis] + value.shape[axis + 1:],
                indices_sorted=value.indices_sorted, unique_indices=value.unique_indices)


def _from_element(cont, axis_size, element, axis):
    if axis is None:
        return element
    if axis > element.n_batch:
        raise ValueError(f"BCOO: cannot add out_axis={axis} for BCOO array with n_batch={element.n_batch}. "
                         "BCOO batch axes must be a contiguous block of leading dimensions.")
    return BCOO((cont(axis_size, element.data, axis), cont(axis_size, element.indices, axis)),
                shape=element.shape[:axis] + (axis_size,) + element.shape[axis:], indices_sorted=element.indices_sorted,
                unique_indices=element.unique_indices)


batching.register_vmappable(BCOO, int, int, _to_element, _from_element, None)


# ----------------------------------------------------------------------------------------------------------- functions

def bcoo_todense(mat):
    return todense_buffers(mat.data, mat.indices, spinfo=mat._info)


def bcoo_fromdense(mat, *, nse=None, n_batch=0, n_dense=0, index_dtype=jnp.int32):
    mat = jnp.asarray(mat)
    nse = stored_elements(mat, nse, n_batch, n_dense, TRACED_NSE_ERROR)
    buffers = fromdense_buffers(mat, nse=nse, n_batch=n_batch, n_dense=n_dense, index_dtype=index_dtype)
    return BCOO(buffers, shape=mat.shape, indices_sorted=True, unique_indices=True)


def bcoo_extract(sparr, arr, *, assume_unique=None):
    if not isinstance(sparr, BCOO):
        raise TypeError(f"First argument to bcoo_extract should be a BCOO array. Got {type(sparr)=}")
    a = jnp.asarray(arr)
    if a.shape != sparr.shape:
        raise ValueError(f"shape mismatch: {sparr.shape=} {a.shape=}")
    unique = sparr.unique_indices if assume_unique is None else assume_unique
    return BCOO((extract_buffers(sparr.indices, a, assume_unique=unique), sparr.indices), **sparr._info._asdict())


def bcoo_transpose(mat, *, permutation):
    buffers = transpose_buffers(mat.data, mat.indices, permutation=permutation, spinfo=mat._info)
    return BCOO(buffers, shape=tuple([mat.shape[p] for p in permutation]), unique_indices=mat.unique_indices)


def bcoo_sort_indices(mat):
    return BCOO(sort_indices_buffers(*mat._bufs, spinfo=mat._info), shape=mat.shape, indices_sorted=True, unique_indices=mat.unique_indices)


def bcoo_sum_duplicates(mat, nse=None):
    return BCOO(sum_duplicates_buffers(mat.data, mat.indices, spinfo=mat._info, nse=nse), shape=mat.shape, indices_sorted=True,
                unique_indices=True)


def bcoo_eliminate_zeros(mat, nse=None):
    data, indices, shape = mat.data, mat.indices, mat.shape
    n_batch, n_sparse, _, _ = validate(data, indices, shape)
    mask = (data == 0).all(tuple(range(n_batch + 1, data.ndim)))
    mask = mask.all(tuple([i for i, s in enumerate(indices.shape[:n_batch]) if s == 1]), keepdims=True)
    fill = sparse_fill(indices, shape, n_batch, n_sparse, axes=False)
    indices = nfold_vmap(lambda i, m: jnp.where(m[:, None], fill[None, :], i), n_batch)(indices, mask)
    return bcoo_sum_duplicates(BCOO((data, indices), shape=shape), nse=nse)


def bcoo_dot_general(lhs, rhs, *, dimension_numbers, precision=None, preferred_element_type=None, out_sharding=None):
    params = {"dimension_numbers": dimension_numbers, "preferred_element_type": preferred_element_type}
    if isinstance(lhs, BCOO) and isinstance(rhs, BCOO):
        shape = dot_aval(lhs.shape, "float32", rhs.shape, "float32", dimension_numbers).shape
        buffers = spdot_general_buffers(lhs.data, lhs.indices, rhs.data, rhs.indices, lhs_spinfo=lhs._info, rhs_spinfo=rhs._info, **params)
        return BCOO(buffers, shape=shape)
    if isinstance(lhs, BCOO):
        return dot_general_buffers(lhs.data, lhs.indices, rhs, lhs_spinfo=lhs._info, **params)
    if isinstance(rhs, BCOO):
        return rdot_general_buffers(lhs, rhs.data, rhs.indices, rhs_spinfo=rhs._info, **params)
    return lax.dot_general(lhs, rhs, **params)


def bcoo_update_layout(mat, *, n_batch=None, n_dense=None, on_inefficient="error"):
    n_batch = mat.n_batch if n_batch is None else operator.index(n_batch)
    n_dense = mat.n_dense if n_dense is None else operator.index(n_dense)
    if (n_batch, n_dense) == (mat.n_batch, mat.n_dense):
        return mat
    return BCOO(shapes.update_layout_buffers(mat, n_batch, n_dense, on_inefficient), shape=mat.shape)


def bcoo_broadcast_in_dim(mat, *, shape, broadcast_dimensions, sharding=None):
    buffers = shapes.broadcast_buffers(mat.data, mat.indices, spinfo=mat._info, shape=shape, broadcast_dimensions=broadcast_dimensions)
    return BCOO(buffers, shape=shape)


def bcoo_concatenate(operands, *, dimension):
    dimension = operator.index(dimension)
    if not all([isinstance(op, BCOO) for op in operands]):
        raise ValueError("bcoo_concatenate: expected operands to be a sequence of BCOO arrays. "
                         f"Got {operands}")
    out = types_of(lambda *xs: lax.concatenate(xs, dimension), *[core.ShapedArray(op.shape, op.dtype) for op in operands])
    if len({op.n_dense for op in operands}) > 1:
        raise ValueError("bcoo_concatenate requires inputs to have matching nse dimensions.")
    batches = {op.n_batch for op in operands}
    if len(batches) != 1 and max(batches) == 1:
        # `op[None, :]` has a batch axis of its own.
        if all([op.shape[0] == 1 for op in operands if op.n_batch == 0]):
            operands = [bcoo_update_layout(op, n_batch=1) if op.n_batch == 0 else op for op in operands]
        elif all([op.shape[0] == 1 for op in operands if op.n_batch == 1]):
            operands = [bcoo_update_layout(op, n_batch=0) if op.n_batch == 1 else op for op in operands]
        batches = {op.n_batch for op in operands}
    if len(batches) != 1:
        raise ValueError("bcoo_concatenate requires inputs to have matching batch dimensions.")
    return BCOO(shapes.concatenate_buffers(operands, dimension), shape=out.shape)


def bcoo_reshape(mat, *, new_sizes, dimensions=None, sharding=None):
    return BCOO(shapes.reshape_buffers(mat, new_sizes, dimensions), shape=new_sizes)


def bcoo_rev(operand, dimensions):
    return BCOO(shapes.rev_buffers(operand, dimensions), shape=operand.shape)


def bcoo_squeeze(arr, *, dimensions):
    dimensions = tuple([core.canonical_axis(d, arr.ndim) for d in dimensions])
    buffers = shapes.squeeze_buffers(arr, dimensions)
    return BCOO(buffers, shape=tuple([s for i, s in enumerate(arr.shape) if i not in dimensions]), indices_sorted=arr.indices_sorted,
                unique_indices=arr.unique_indices)


def bcoo_slice(mat, *, start_indices, limit_indices, strides=None):
    if not isinstance(mat, BCOO):
        raise TypeError(f"bcoo_slice: input should be BCOO array, got type(mat)={type(mat)}")
    data, indices, shape = shapes.slice_buffers(mat, start_indices, limit_indices, strides)
    return BCOO((data, indices), shape=shape)


def bcoo_dynamic_slice(mat, start_indices, slice_sizes):
    slice_sizes = tuple([operator.index(i) for i in slice_sizes])
    types_of(lambda x, starts: lax.dynamic_slice(x, starts, slice_sizes), core.ShapedArray(mat.shape, mat.dtype), start_indices)
    if not isinstance(mat, BCOO):
        raise TypeError(f"bcoo_slice: input should be BCOO array, got type(mat)={type(mat)}")
    return BCOO(shapes.dynamic_slice_buffers(mat, start_indices, slice_sizes), shape=slice_sizes)


def bcoo_reduce_sum(mat, *, axes):
    data, indices, shape = shapes.reduce_sum_buffers(mat.data, mat.indices, spinfo=mat._info, axes=axes)
    return BCOO((data, indices), shape=shape)


def bcoo_multiply_sparse(lhs, rhs):
    data, indices, shape = multiply_sparse_buffers(lhs.data, lhs.indices, rhs.data, rhs.indices, lhs_spinfo=lhs._info, rhs_spinfo=rhs._info)
    return BCOO((data, indices), shape=shape)


def bcoo_multiply_dense(sp_mat, v):
    return multiply_dense_buffers(sp_mat.data, sp_mat.indices, v, spinfo=sp_mat._info)


def bcoo_gather(operand, start_indices, dimension_numbers, slice_sizes, *, unique_indices=False, indices_are_sorted=False, mode=None,
                fill_value=None):
    validate(operand.data, operand.indices, operand.shape)
    if mode is not None and lax.GatherScatterMode.from_any(mode) != lax.GatherScatterMode.PROMISE_IN_BOUNDS:
        raise NotImplementedError(f"bcoo_gather: {mode=} not yet supported.")
    out = types_of(lambda x, i: lax.gather(x, i, dimension_numbers, slice_sizes, mode="promise_in_bounds"),
                   core.ShapedArray(operand.shape, operand.dtype), core.ShapedArray(start_indices.shape, start_indices.dtype))
    starts, axes, sizes = [jnp.zeros((), start_indices.dtype)] * operand.ndim, [None] * operand.ndim, list(operand.shape)
    for i, j in enumerate(dimension_numbers.start_index_map):
        starts[j], axes[j], sizes[j] = start_indices[..., i].ravel(), 0, slice_sizes[j]

    def one(indices):
        return bcoo_squeeze(bcoo_dynamic_slice(operand, indices, sizes), dimensions=dimension_numbers.collapsed_slice_dims)
    found = vmap(one, in_axes=(axes,))(starts)
    found = bcoo_reshape(found, new_sizes=(*start_indices.shape[:-1], *found.shape[1:]), dimensions=tuple(range(found.ndim)))
    if found.shape:
        offset = tuple(dimension_numbers.offset_dims)
        order = tuple([dim for dim in range(len(out.shape)) if dim not in offset]) + offset
        permutation = [order.index(i) for i in range(found.ndim)]
        count = len(order) - len(offset)
        if set(permutation[:count]) != set(range(count)):
            found = bcoo_update_layout(found, n_batch=0)
        found = bcoo_transpose(found, permutation=tuple(permutation))
    return found.reshape(out.shape).astype(out.dtype)


def bcoo_conv_general_dilated(lhs, rhs, *, window_strides, padding, lhs_dilation=None, rhs_dilation=None, dimension_numbers=None,
                              feature_group_count=1, batch_group_count=1, precision=None, preferred_element_type=None, out_sharding=None):
    from . import _bcoo_convolution
    return _bcoo_convolution.convolved(lhs, rhs, window_strides, padding, lhs_dilation, rhs_dilation, dimension_numbers,
                                       feature_group_count, batch_group_count)


def __getattr__(name):
    from ... import _removed
    if name in ("CUSPARSE_DATA_DTYPES", "CUSPARSE_INDEX_DTYPES"):
        return core.unmodelled("jax.experimental.sparse.bcoo." + name)
    internal = _INTERNAL.get(name)
    if internal is None:
        raise AttributeError(_removed.missing("jax.experimental.sparse.bcoo", name))
    return internal


_INTERNAL = {"_bcoo_todense": todense_buffers, "_bcoo_fromdense": fromdense_buffers, "_bcoo_extract": extract_buffers,
             "_bcoo_transpose": transpose_buffers, "_bcoo_dot_general": dot_general_buffers,
             "_bcoo_sum_duplicates": sum_duplicates_buffers, "_validate_bcoo": validate}
