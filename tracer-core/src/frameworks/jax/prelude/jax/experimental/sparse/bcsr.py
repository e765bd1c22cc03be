"""`jax.experimental.sparse.bcsr`: matrices by rows, in batches and of dense blocks."""
from typing import NamedTuple

import numpy as np

from _jitlens import core

from ... import lax, tree_util
from ... import numpy as jnp
from ...interpreters import ad, batching
from . import _bcoo_products as products
from . import bcoo
from ._base import JAXSparse
from ._bcoo_checks import tangent_zero, validate_indices as validate_bcoo_indices
from .util import SparseInfo, axes_tuples, csr_to_coo, dot_aval, fits, nfold_vmap, primitive, split

TRACED_NSE_ERROR = """
The error arose for the nse argument of bcsr_fromdense. In order for
BCSR.fromdense() to be used in traced/compiled code, you must pass a concrete
value to the nse (number of stored elements) argument.
"""


class BCSRProperties(NamedTuple):
    n_batch: int
    n_dense: int
    nse: int


def validate_indices(indices, indptr, shape):
    assert jnp.issubdtype(indices.dtype, jnp.integer)
    assert jnp.issubdtype(indptr.dtype, jnp.integer)
    shape = tuple(shape)
    nse, n_batch = indices.shape[-1], indices.ndim - 1
    n_dense = len(shape) - n_batch - 2
    assert n_dense >= 0
    if not fits(indices.shape[:n_batch], shape[:n_batch]):
        raise ValueError(f"indices batch dimensions not compatible for {indices.shape=}, {shape=}")
    if not fits(indptr.shape[:n_batch], shape[:n_batch]):
        raise ValueError(f"indptr batch dimensions not compatible for {indptr.shape=}, {shape=}")
    if indptr.shape[n_batch:] != (shape[n_batch] + 1,):
        raise ValueError("indptr shape must match the matrix shape plus 1.")
    return BCSRProperties(n_batch, n_dense, nse)


def validate(data, indices, indptr, shape):
    props = validate_indices(indices, indptr, shape)
    shape = tuple(shape)
    n_batch, n_dense, nse = props
    if not fits(data.shape[:n_batch], shape[:n_batch]):
        raise ValueError(f"data batch dimensions not compatible for {data.shape=}, {shape=}")
    if data.shape[-(n_dense + 1):] != (nse,) + shape[n_batch + 2:]:
        raise ValueError(f"Invalid {data.shape=} for {nse=}, {n_batch=}, {n_dense=}")
    return props


@tree_util.register_pytree_node_class
class BCSR(JAXSparse):
    """A matrix of which `data` are elements by rows, `indices` their columns, and `indptr` where each row begins."""

    def __init__(self, args, *, shape, indices_sorted=False, unique_indices=False):
        self.data, self.indices, self.indptr = [jnp.asarray(x) for x in args]
        self.indices_sorted, self.unique_indices = indices_sorted, unique_indices
        super().__init__(args, shape=shape)
        validate(self.data, self.indices, self.indptr, self.shape)

    nse = property(lambda self: self.indices.shape[-1])
    dtype = property(lambda self: self.data.dtype)
    n_batch = property(lambda self: self.indices.ndim - 1)
    n_sparse = property(lambda self: 2)
    n_dense = property(lambda self: self.data.ndim - self.indices.ndim)
    _info = property(lambda self: SparseInfo(self.shape, self.indices_sorted, self.unique_indices))
    _bufs = property(lambda self: (self.data, self.indices, self.indptr))

    def _counts(self):
        text = f", nse={self.nse}"
        if self.n_batch:
            text += f", n_batch={self.n_batch}"
        return text + f", n_dense={self.n_dense}" if self.n_dense else text

    def transpose(self, *args, **kwargs):
        raise NotImplementedError("Transpose is not implemented.")

    def tree_flatten(self):
        return (self.data, self.indices, self.indptr), self._info._asdict()

    @classmethod
    def tree_unflatten(cls, aux_data, children):
        obj = object.__new__(cls)
        obj.data, obj.indices, obj.indptr = children
        if aux_data.keys() != {"shape", "indices_sorted", "unique_indices"}:
            raise ValueError(f"BCSR.tree_unflatten: invalid {aux_data=}")
        obj.shape, obj.indices_sorted = aux_data["shape"], aux_data["indices_sorted"]
        obj.unique_indices = aux_data["unique_indices"]
        return obj

    @classmethod
    def _empty(cls, shape, *, dtype=None, index_dtype="int32", n_dense=0, n_batch=0, nse=0):
        shape = tuple(shape)
        if n_dense < 0 or n_batch < 0 or nse < 0:
            raise ValueError(f"Invalid inputs: {shape=}, {n_dense=}, {n_batch=}, {nse=}")
        n_sparse = len(shape) - n_dense - n_batch
        if n_sparse != 2:
            raise ValueError("BCSR sparse.empty: must have 2 sparse dimensions.")
        batch, sparse, dense = split(shape, n_batch, n_sparse)
        data = jnp.zeros((*batch, nse, *dense), dtype)
        indices = jnp.full((*batch, nse), jnp.array(sparse[1]), index_dtype)
        indptr = jnp.zeros((*batch, sparse[0] + 1), index_dtype)
        return cls((data, indices, indptr), shape=shape)

    @classmethod
    def fromdense(cls, mat, *, nse=None, index_dtype=np.int32, n_dense=0, n_batch=0):
        return bcsr_fromdense(mat, nse=nse, index_dtype=index_dtype, n_dense=n_dense, n_batch=n_batch)

    def todense(self):
        return bcsr_todense(self)

    def sum_duplicates(self, nse=None, remove_zeros=True):
        return bcsr_eliminate_zeros(self, nse=nse) if remove_zeros else bcsr_sum_duplicates(self, nse=nse)

    @classmethod
    def from_scipy_sparse(cls, mat, *, index_dtype=None, n_dense=0, n_batch=0):
        if n_dense != 0 or n_batch != 0:
            raise NotImplementedError("BCSR from_scipy_sparse with nonzero n_dense/n_batch.")
        if mat.ndim != 2:
            raise ValueError(f"BCSR from_scipy_sparse requires 2D array; {mat.ndim}D is given.")
        mat = mat.tocsr()
        indices = jnp.asarray(mat.indices).astype(index_dtype or jnp.int32)
        indptr = jnp.asarray(mat.indptr).astype(index_dtype or jnp.int32)
        return cls((jnp.asarray(mat.data), indices, indptr), shape=mat.shape)

    @classmethod
    def from_bcoo(cls, arr):
        if arr.n_sparse != 2:
            raise NotImplementedError(f"BSCR.from_bcoo requires n_sparse=2; got {arr.n_sparse=}")
        if not arr.indices_sorted:
            arr = arr.sort_indices()
        indices, indptr = pointers(arr.indices, shape=arr.shape, index_dtype=arr.indices.dtype)
        return cls((arr.data, indices, indptr), shape=arr.shape)

    def to_bcoo(self):
        coo_indices = coordinates(self.indices, self.indptr, shape=self.shape)
        return bcoo.BCOO((self.data, coo_indices), shape=self.shape)


def coordinates(indices, indptr, *, shape):
    """Rows and columns side by side."""
    n_batch = validate_indices(indices, indptr, shape).n_batch
    return jnp.stack(nfold_vmap(csr_to_coo, n_batch)(indices, indptr), axis=indices.ndim)


def pointers(indices, *, shape, index_dtype):
    """Columns, and where each row begins."""
    n_batch, n_sparse, _, _ = validate_bcoo_indices(indices, shape)
    if n_sparse != 2:
        raise ValueError("Must have 2 sparse dimensions to be converted to BCSR.")
    n_rows = shape[n_batch]

    def starts(rows):
        return jnp.zeros(n_rows + 1, index_dtype).at[1:].set(jnp.cumsum(jnp.bincount(rows, length=n_rows).astype(index_dtype)))
    return indices[..., 1], nfold_vmap(starts, n_batch, broadcasted=False)(indices[..., 0])


def bcsr_eliminate_zeros(mat, nse=None):
    return BCSR.from_bcoo(bcoo.bcoo_eliminate_zeros(mat.to_bcoo(), nse=nse))


def bcsr_sum_duplicates(mat, nse=None):
    return BCSR.from_bcoo(bcoo.bcoo_sum_duplicates(mat.to_bcoo(), nse=nse))


def _dims_to_front(args, dims, spinfo, batch_size=None):
    n_batch = args[1].ndim - 1 + (dims[1] is None)
    if not all([b is None or 0 <= b < n_batch for b in dims]):
        raise NotImplementedError(f"batch_dims must be None or satisfy 0 < dim < n_batch. Got batch_dims={tuple(dims)} for {n_batch=}.")
    if batch_size is None:
        batch_size = max([x.shape[dim] for x, dim in zip(args, dims) if dim is not None])
    fronts = [lax.expand_dims(x, [0]) if dim is None else jnp.moveaxis(x, dim, 0) for x, dim in zip(args, dims)]
    return (*fronts, SparseInfo((batch_size, *spinfo.shape), spinfo.indices_sorted, spinfo.unique_indices))


# ----------------------------------------------------------------------------------------------------------- fromdense

def bcsr_fromdense(mat, *, nse=None, n_batch=0, n_dense=0, index_dtype=jnp.int32):
    mat = jnp.asarray(mat)
    nse = bcoo.stored_elements(mat, nse, n_batch, n_dense, TRACED_NSE_ERROR)
    buffers = bcsr_fromdense_p.bind(mat, nse=nse, n_batch=n_batch, n_dense=n_dense, index_dtype=index_dtype)
    return BCSR(buffers, shape=mat.shape)


def _check_sparse(mat, n_batch, n_dense):
    if mat.ndim - n_dense - n_batch != 2:
        raise ValueError("bcsr_fromdense: must have 2 sparse dimensions.")


def _fromdense(mat, *, nse, n_batch, n_dense, index_dtype):
    mat = jnp.asarray(mat)
    _check_sparse(mat, n_batch, n_dense)
    found = bcoo.bcoo_fromdense(mat, nse=nse, index_dtype=index_dtype, n_dense=n_dense, n_batch=n_batch)
    return (found.data, *pointers(found.indices, shape=mat.shape, index_dtype=index_dtype))


def _fromdense_types(mat, *, nse, n_batch, n_dense, index_dtype):
    _check_sparse(mat, n_batch, n_dense)
    batch = mat.shape[:n_batch]
    return (core.ShapedArray(batch + (nse,) + mat.shape[n_batch + 2:], mat.dtype), core.ShapedArray(batch + (nse,), index_dtype),
            core.ShapedArray(batch + (mat.shape[n_batch] + 1,), index_dtype))


def _fromdense_jvp(primals, tangents, **params):
    mat, = primals
    dot, = tangents
    data, indices, indptr = found = bcsr_fromdense_p.bind(mat, **params)
    dot = tangent_zero(data) if type(dot) is ad.Zero else bcsr_extract(indices, indptr, dot)
    return found, (dot, tangent_zero(indices), tangent_zero(indptr))


def _fromdense_batched(args, dims, *, nse, n_batch, n_dense, index_dtype):
    bdim, = dims
    if not 0 <= bdim <= n_batch:
        raise ValueError(f"Expected 0 < bdim <= n_batch; got {bdim=}, {n_batch=}")
    return bcsr_fromdense_p.bind(args[0], nse=nse, n_batch=n_batch + 1, n_dense=n_dense, index_dtype=index_dtype), (bdim,) * 3


bcsr_fromdense_p = primitive("bcsr_fromdense", True, _fromdense_types, _fromdense)
ad.primitive_jvps[bcsr_fromdense_p] = _fromdense_jvp
batching.primitive_batchers[bcsr_fromdense_p] = _fromdense_batched


# ------------------------------------------------------------------------------------------------- todense and extract

def bcsr_todense(mat):
    return todense_buffers(mat.data, mat.indices, mat.indptr, spinfo=mat._info)


def todense_buffers(data, indices, indptr, *, spinfo):
    return bcsr_todense_p.bind(jnp.asarray(data), jnp.asarray(indices), jnp.asarray(indptr), spinfo=spinfo)


def _todense(data, indices, indptr, *, spinfo):
    return bcoo.BCOO((data, coordinates(indices, indptr, shape=spinfo.shape)), shape=spinfo.shape).todense()


def _todense_types(data, indices, indptr, *, spinfo):
    validate(data, indices, indptr, spinfo.shape)
    return core.ShapedArray(spinfo.shape, data.dtype)


def _todense_transpose(ct, data, indices, indptr, *, spinfo):
    if ad.is_undefined_primal(indices) or ad.is_undefined_primal(indptr):
        raise ValueError("Cannot transpose with respect to sparse indices")
    return bcsr_extract(indices, indptr, ct), indices, indptr


def _todense_batched(args, dims, *, spinfo):
    data, indices, indptr, spinfo = _dims_to_front(args, dims, spinfo)
    return todense_buffers(data, indices, indptr, spinfo=spinfo), 0


bcsr_todense_p = primitive("bcsr_todense", False, _todense_types, _todense)
ad.defjvp(bcsr_todense_p, lambda dot, data, indices, indptr, *, spinfo: todense_buffers(dot, indices, indptr, spinfo=spinfo), None, None)
ad.primitive_transposes[bcsr_todense_p] = _todense_transpose
batching.primitive_batchers[bcsr_todense_p] = _todense_batched


def bcsr_extract(indices, indptr, mat):
    return bcsr_extract_p.bind(indices, indptr, mat)


def _extract(indices, indptr, mat):
    mat = jnp.asarray(mat)
    return bcoo.extract_buffers(coordinates(indices, indptr, shape=mat.shape), mat)


def _extract_types(indices, indptr, mat):
    n_batch, n_dense, nse = validate_indices(indices, indptr, mat.shape)
    return core.ShapedArray(mat.shape[:n_batch] + (nse,) + mat.shape[mat.ndim - n_dense:], mat.dtype)


def _extract_transpose(ct, indices, indptr, mat):
    if ad.is_undefined_primal(indices) or ad.is_undefined_primal(indptr):
        raise ValueError("Cannot transpose with respect to sparse indices")
    return indices, indptr, todense_buffers(ct, indices, indptr, spinfo=SparseInfo(mat.aval.shape))


def _extract_batched(args, dims):
    indices, indptr, mat = args
    found = {b for b in dims if b is not None}
    if len(found) != 1:
        raise NotImplementedError("bcoo_extract with unequal batch dimensions.")
    bdim, = found
    indices, indptr = [lax.expand_dims(x, (bdim,)) if dim is None else x for x, dim in zip((indices, indptr), dims)]
    if dims[2] is None:
        shape = list(mat.shape)
        shape.insert(bdim, indices.shape[bdim])
        mat = lax.broadcast_in_dim(mat, shape, tuple([i for i in range(len(shape)) if i != bdim]))
    n_batch = indices.ndim - 1
    if bdim >= n_batch:
        raise ValueError(f"batch_dims={tuple(dims)} out of range for indices with {n_batch=}")
    return bcsr_extract(indices, indptr, mat), bdim


bcsr_extract_p = primitive("bcsr_extract", False, _extract_types, _extract)
ad.defjvp(bcsr_extract_p, None, None, lambda dot, indices, indptr, mat: bcsr_extract(indices, indptr, dot))
ad.primitive_transposes[bcsr_extract_p] = _extract_transpose
batching.primitive_batchers[bcsr_extract_p] = _extract_batched


# ------------------------------------------------------------------------------------------------------------ products

def bcsr_dot_general(lhs, rhs, *, dimension_numbers, precision=None, preferred_element_type=None, out_sharding=None):
    if core.is_arraylike(rhs) and core.is_arraylike(lhs):
        return lax.dot_general(lhs, rhs, dimension_numbers=dimension_numbers, preferred_element_type=preferred_element_type)
    if core.is_arraylike(rhs) and isinstance(lhs, BCSR):
        return dot_general_buffers(*lhs._bufs, rhs, dimension_numbers=dimension_numbers, preferred_element_type=preferred_element_type,
                                   lhs_spinfo=lhs._info)
    raise NotImplementedError("bcsr_dot_general currently implemented for BCSR lhs and ndarray rhs.")


def dot_general_buffers(data, indices, indptr, rhs, *, dimension_numbers, preferred_element_type, lhs_spinfo):
    return bcsr_dot_general_p.bind(jnp.asarray(data), jnp.asarray(indices), jnp.asarray(indptr), jnp.asarray(rhs),
                                   dimension_numbers=axes_tuples(dimension_numbers), preferred_element_type=preferred_element_type,
                                   lhs_spinfo=lhs_spinfo)


def _dot(data, indices, indptr, rhs, *, dimension_numbers, preferred_element_type, lhs_spinfo):
    return products.dot_general(data, coordinates(indices, indptr, shape=lhs_spinfo.shape), rhs, dimension_numbers=dimension_numbers,
                                preferred_element_type=preferred_element_type, lhs_spinfo=lhs_spinfo)


def _dot_types(data, indices, indptr, rhs, *, dimension_numbers, preferred_element_type, lhs_spinfo):
    (lhs_contract, _), (lhs_batch, _) = dimension_numbers
    props = validate_indices(indices, indptr, lhs_spinfo.shape)
    out = dot_aval(lhs_spinfo.shape, data.dtype, rhs.shape, rhs.dtype, dimension_numbers, preferred_element_type)
    if lhs_batch and max(lhs_batch) >= props.n_batch:
        raise NotImplementedError("bcsr_dot_general batch dimensions must be among the batch dimensions in the sparse representtaion.\n"
                                  f"got {lhs_batch=}, {props.n_batch=}")
    if any([d >= props.n_batch + 2 for d in lhs_contract]):
        raise NotImplementedError("bcsr_dot_general: contracting over dense dimensions.")
    return core.ShapedArray(out.shape, out.dtype)


def _dot_transpose(ct, data, indices, indptr, rhs, *, dimension_numbers, preferred_element_type, lhs_spinfo):
    places = coordinates(indices, indptr, shape=lhs_spinfo.shape)
    data, _, rhs = products.dot_general_transpose(ct, data, places, rhs, dimension_numbers=dimension_numbers,
                                                  preferred_element_type=preferred_element_type, lhs_spinfo=lhs_spinfo)
    return data, indices, indptr, rhs


def _dot_batched(args, dims, *, dimension_numbers, preferred_element_type, lhs_spinfo):
    rhs, bdim = args[3], dims[3]
    data, indices, indptr, info = _dims_to_front(args[:3], dims[:3], lhs_spinfo, None if bdim is None else rhs.shape[bdim])
    numbers, at = products.batched_numbers((len(lhs_spinfo.shape), rhs.ndim), (0, bdim), dimension_numbers)
    return dot_general_buffers(data, indices, indptr, rhs, lhs_spinfo=info, dimension_numbers=numbers,
                               preferred_element_type=preferred_element_type), at


bcsr_dot_general_p = primitive("bcsr_dot_general", False, _dot_types, _dot)
ad.defjvp(bcsr_dot_general_p, lambda dot, data, indices, indptr, rhs, **params: dot_general_buffers(dot, indices, indptr, rhs, **params),
          None, None, lambda dot, data, indices, indptr, rhs, **params: dot_general_buffers(data, indices, indptr, dot, **params))
ad.primitive_transposes[bcsr_dot_general_p] = _dot_transpose
batching.primitive_batchers[bcsr_dot_general_p] = _dot_batched


# -------------------------------------------------------------------------------------------------------------- shapes

def bcsr_broadcast_in_dim(mat, *, shape, broadcast_dimensions, sharding=None):
    found = bcoo.bcoo_broadcast_in_dim(mat.to_bcoo(), shape=shape, broadcast_dimensions=broadcast_dimensions)
    return BCSR.from_bcoo(found)


def bcsr_concatenate(operands, *, dimension):
    return BCSR.from_bcoo(bcoo.bcoo_concatenate([mat.to_bcoo() for mat in operands], dimension=dimension))


def _to_element(cont, _, value, axis):
    if axis is None:
        return value
    if axis >= value.n_batch:
        raise ValueError(f"Cannot map in_axis={axis} for BCSR array with n_batch={value.n_batch}. "
                         "in_axes for batched BCSR operations must correspond to a batched dimension.")
    return BCSR((cont(value.data, axis), cont(value.indices, axis), cont(value.indptr, axis)),
                shape=value.shape[:axis] + value.shape[axis + 1:])


def _from_element(cont, axis_size, element, axis):
    if axis is None:
        return element
    if axis > element.n_batch:
        raise ValueError(f"BCSR: cannot add out_axis={axis} for BCSR array with n_batch={element.n_batch}. "
                         "BCSR batch axes must be a contiguous block of leading dimensions.")
    return BCSR((cont(axis_size, element.data, axis), cont(axis_size, element.indices, axis), cont(axis_size, element.indptr, axis)),
                shape=element.shape[:axis] + (axis_size,) + element.shape[axis:])


batching.register_vmappable(BCSR, int, int, _to_element, _from_element, None)
