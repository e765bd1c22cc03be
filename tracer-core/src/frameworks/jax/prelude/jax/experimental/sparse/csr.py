"""`jax.experimental.sparse.csr`: matrices by rows and by columns."""
import numpy as np

from _jitlens import core

from ... import lax, tree_util
from ... import numpy as jnp
from ...interpreters import ad
from . import coo
from ._base import JAXSparse
from ._bcoo_checks import tangent_zero
from .bcoo import diagonal
from .util import concrete_index, csr_extract, csr_to_coo, primitive


class _Compressed(JAXSparse):
    """What matrices by rows and by columns have in common."""

    def __init__(self, args, *, shape):
        self.data, self.indices, self.indptr = [jnp.asarray(x) for x in args]
        super().__init__(args, shape=shape)

    nse = property(lambda self: self.data.size)
    dtype = property(lambda self: self.data.dtype)
    _bufs = property(lambda self: (self.data, self.indices, self.indptr))

    @classmethod
    def _empty(cls, shape, *, dtype=None, index_dtype="int32"):
        shape = tuple(shape)
        if len(shape) != 2:
            raise ValueError(f"{cls.__name__} must have ndim=2; got {shape=}")
        indptr = jnp.zeros(shape[cls._axis] + 1, index_dtype)
        return cls((jnp.empty(0, dtype), jnp.empty(0, index_dtype), indptr), shape=shape)

    def tree_flatten(self):
        return (self.data, self.indices, self.indptr), {"shape": self.shape}

    @classmethod
    def tree_unflatten(cls, aux_data, children):
        obj = object.__new__(cls)
        obj.data, obj.indices, obj.indptr = children
        if aux_data.keys() != {"shape"}:
            raise ValueError(f"{cls.__name__}.tree_unflatten: invalid {aux_data=}")
        obj.shape = aux_data["shape"]
        return obj

    def __matmul__(self, other):
        data, other = coo.promoted(self.data, other)
        by_columns = self._axis == 1
        params = {"shape": self.shape[::-1] if by_columns else self.shape, "transpose": by_columns}
        return coo.product(other, lambda: matvec_buffers(data, self.indices, self.indptr, other, **params),
                           lambda: matmat_buffers(data, self.indices, self.indptr, other, **params))


@tree_util.register_pytree_node_class
class CSR(_Compressed):
    """A matrix of which `data` are elements by rows, `indices` their columns, and `indptr` where each row begins."""
    _axis = 0

    @classmethod
    def fromdense(cls, mat, *, nse=None, index_dtype=np.int32):
        return csr_fromdense(mat, nse=(mat != 0).sum() if nse is None else nse, index_dtype=index_dtype)

    @classmethod
    def _eye(cls, N, M, k, *, dtype=None, index_dtype="int32"):
        size = min(N, M - k) if k > 0 else min(N + k, M)
        if size <= 0:
            return cls._empty((N, M), dtype=dtype, index_dtype=index_dtype)
        row, col = diagonal(size, k, index_dtype)
        return cls((jnp.ones(size, dtype=dtype), col.astype(index_dtype), _starts(row, N, index_dtype)), shape=(N, M))

    def todense(self):
        return csr_todense(self)

    def transpose(self, axes=None):
        assert axes is None
        return CSC((self.data, self.indices, self.indptr), shape=self.shape[::-1])


@tree_util.register_pytree_node_class
class CSC(_Compressed):
    """The same by columns."""
    _axis = 1

    @classmethod
    def fromdense(cls, mat, *, nse=None, index_dtype=np.int32):
        return csr_fromdense(mat.T, nse=(mat != 0).sum() if nse is None else nse, index_dtype=index_dtype).T

    @classmethod
    def _eye(cls, N, M, k, *, dtype=None, index_dtype="int32"):
        return CSR._eye(M, N, -k, dtype=dtype, index_dtype=index_dtype).T

    def todense(self):
        return csr_todense(self.T).T

    def transpose(self, axes=None):
        assert axes is None
        return CSR((self.data, self.indices, self.indptr), shape=self.shape[::-1])


def _starts(rows, count, index_dtype):
    """Where each row begins."""
    counts = jnp.bincount(rows, length=count).astype(index_dtype)
    return jnp.zeros(count + 1, dtype=index_dtype).at[1:].set(jnp.cumsum(counts))


def _check(data, indices, indptr, shape):
    assert len(shape) == 2
    assert data.ndim == indices.ndim == indptr.ndim == 1
    assert indices.dtype == indptr.dtype
    assert data.shape == indices.shape
    assert indptr.shape[0] == shape[0] + 1


# ------------------------------------------------------------------------------------------------------------- todense

def csr_todense(mat):
    return todense_buffers(mat.data, mat.indices, mat.indptr, shape=mat.shape)


def todense_buffers(data, indices, indptr, *, shape):
    return csr_todense_p.bind(data, indices, indptr, shape=shape)


def _todense(data, indices, indptr, *, shape):
    return coo.todense_buffers(data, *csr_to_coo(indices, indptr), spinfo=coo.COOInfo(shape=shape))


def _todense_types(data, indices, indptr, *, shape):
    _check(data, indices, indptr, shape)
    return core.ShapedArray(shape, data.dtype)


def _todense_transpose(ct, data, indices, indptr, *, shape):
    if ad.is_undefined_primal(indices) or ad.is_undefined_primal(indptr):
        raise ValueError("Cannot transpose with respect to sparse indices")
    return csr_extract(indices, indptr, ct), indices, indptr


csr_todense_p = primitive("csr_todense", False, _todense_types, _todense)
ad.defjvp(csr_todense_p, lambda dot, data, indices, indptr, *, shape: todense_buffers(dot, indices, indptr, shape=shape), None, None)
ad.primitive_transposes[csr_todense_p] = _todense_transpose


# ----------------------------------------------------------------------------------------------------------- fromdense

def csr_fromdense(mat, *, nse=None, index_dtype=np.int32):
    if nse is None:
        nse = int((mat != 0).sum())
    nse = concrete_index(nse, "coo_fromdense nse argument")
    return CSR(csr_fromdense_p.bind(jnp.asarray(mat), nse=nse, index_dtype=np.dtype(index_dtype)), shape=mat.shape)


def _fromdense(mat, *, nse, index_dtype):
    there, data, row, col = coo.stored(mat, nse)
    rows = jnp.shape(mat)[0]
    return data, col.astype(index_dtype), _starts(jnp.where(there, row, rows), rows, index_dtype)


def _fromdense_types(mat, *, nse, index_dtype):
    return (core.ShapedArray((nse,), mat.dtype), core.ShapedArray((nse,), index_dtype),
            core.ShapedArray((mat.shape[0] + 1,), index_dtype))


def _fromdense_jvp(primals, tangents, **params):
    mat, = primals
    dot, = tangents
    data, indices, indptr = found = csr_fromdense_p.bind(mat, **params)
    dot = tangent_zero(data) if type(dot) is ad.Zero else csr_extract(indices, indptr, dot)
    return found, (dot, tangent_zero(indices), tangent_zero(indptr))


csr_fromdense_p = primitive("csr_fromdense", True, _fromdense_types, _fromdense)
ad.primitive_jvps[csr_fromdense_p] = _fromdense_jvp


# ------------------------------------------------------------------------------------------------------------ products

def csr_matvec(mat, v, transpose=False):
    return matvec_buffers(*mat._bufs, v, shape=mat.shape, transpose=transpose)


def matvec_buffers(data, indices, indptr, v, *, shape, transpose=False):
    return csr_matvec_p.bind(data, indices, indptr, v, shape=shape, transpose=transpose)


def csr_matmat(mat, B, *, transpose=False):
    return matmat_buffers(*mat._bufs, B, shape=mat.shape, transpose=transpose)


def matmat_buffers(data, indices, indptr, B, *, shape, transpose=False):
    return csr_matmat_p.bind(data, indices, indptr, B, shape=shape, transpose=transpose)


def _matvec(data, indices, indptr, v, *, shape, transpose):
    return coo.matvec_buffers(data, *csr_to_coo(indices, indptr), v, spinfo=coo.COOInfo(shape=shape), transpose=transpose)


def _matmat(data, indices, indptr, B, *, shape, transpose):
    return coo.matmat_buffers(data, *csr_to_coo(indices, indptr), B, spinfo=coo.COOInfo(shape=shape), transpose=transpose)


def _product_types(data, indices, indptr, x, shape, transpose, ndim):
    _check(data, indices, indptr, shape)
    assert x.ndim == ndim
    assert data.dtype == x.dtype
    rows, cols = shape[::-1] if transpose else shape
    assert x.shape[0] == cols
    return core.ShapedArray((rows, *x.shape[1:]), data.dtype)


def _matvec_types(data, indices, indptr, v, *, shape, transpose):
    return _product_types(data, indices, indptr, v, shape, transpose, 1)


def _matmat_types(data, indices, indptr, B, *, shape, transpose):
    return _product_types(data, indices, indptr, B, shape, transpose, 2)


def _matvec_transpose(ct, data, indices, indptr, v, *, shape, transpose):
    if ad.is_undefined_primal(v):
        return data, indices, indptr, matvec_buffers(data, indices, indptr, ct, shape=shape, transpose=not transpose)
    row, col = csr_to_coo(indices, indptr)
    return ct[row] * jnp.asarray(v)[col], indices, indptr, v


def _matmat_transpose(ct, data, indices, indptr, B, *, shape, transpose):
    if ad.is_undefined_primal(B):
        return data, indices, indptr, matmat_buffers(data, indices, indptr, ct, shape=shape, transpose=not transpose)
    row, col = csr_to_coo(indices, indptr)
    return (ct[row] * jnp.asarray(B)[col]).sum(1), indices, indptr, B


csr_matvec_p = primitive("csr_matvec", False, _matvec_types, _matvec)
ad.defjvp(csr_matvec_p, lambda dot, data, indices, indptr, v, **params: matvec_buffers(dot, indices, indptr, v, **params), None, None,
          lambda dot, data, indices, indptr, v, **params: matvec_buffers(data, indices, indptr, dot, **params))
ad.primitive_transposes[csr_matvec_p] = _matvec_transpose
csr_matmat_p = primitive("csr_matmat", False, _matmat_types, _matmat)
ad.defjvp(csr_matmat_p, lambda dot, data, indices, indptr, B, **params: matmat_buffers(dot, indices, indptr, B, **params), None, None,
          lambda dot, data, indices, indptr, B, **params: matmat_buffers(data, indices, indptr, dot, **params))
ad.primitive_transposes[csr_matmat_p] = _matmat_transpose


def transposed_buffers(data, indices, indptr):
    """The buffers of a square matrix with rows and columns exchanged."""
    row, _ = csr_to_coo(indices, indptr)
    rows, columns, data = lax.sort((indices, row, data), num_keys=2)
    counts = jnp.bincount(rows, length=indptr.size - 1)
    return data, columns, jnp.zeros_like(indptr).at[1:].set(jnp.cumsum(counts).astype(indptr.dtype))
