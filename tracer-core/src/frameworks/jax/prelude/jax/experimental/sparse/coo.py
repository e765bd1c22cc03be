"""`jax.experimental.sparse.coo`: matrices as elements with their rows and columns."""
from typing import NamedTuple

import numpy as np

from _jitlens import core

from ... import lax, tree_util
from ... import numpy as jnp
from ...interpreters import ad
from ._base import JAXSparse
from ._bcoo_checks import tangent_zero
from .bcoo import diagonal
from .util import concrete_index, coo_extract, primitive


class COOInfo(NamedTuple):
    shape: tuple
    rows_sorted: bool = False
    cols_sorted: bool = False


@tree_util.register_pytree_node_class
class COO(JAXSparse):
    """A matrix of which `data` are elements, `row` and `col` their places."""

    def __init__(self, args, *, shape, rows_sorted=False, cols_sorted=False):
        self.data, self.row, self.col = [jnp.asarray(x) for x in args]
        self._rows_sorted, self._cols_sorted = rows_sorted, cols_sorted
        super().__init__(args, shape=shape)

    nse = property(lambda self: self.data.size)
    dtype = property(lambda self: self.data.dtype)
    _info = property(lambda self: COOInfo(self.shape, self._rows_sorted, self._cols_sorted))
    _bufs = property(lambda self: (self.data, self.row, self.col))

    @classmethod
    def fromdense(cls, mat, *, nse=None, index_dtype=np.int32):
        return coo_fromdense(mat, nse=nse, index_dtype=index_dtype)

    def _sort_indices(self):
        if self._rows_sorted:
            return self
        row, col, data = lax.sort((self.row, self.col, self.data), num_keys=2)
        return type(self)((data, row, col), shape=self.shape, rows_sorted=True)

    @classmethod
    def _empty(cls, shape, *, dtype=None, index_dtype="int32"):
        shape = tuple(shape)
        if len(shape) != 2:
            raise ValueError(f"COO must have ndim=2; got {shape=}")
        places = jnp.empty(0, index_dtype)
        return cls((jnp.empty(0, dtype), places, places), shape=shape, rows_sorted=True, cols_sorted=True)

    @classmethod
    def _eye(cls, N, M, k, *, dtype=None, index_dtype="int32"):
        size = min(N, M - k) if k > 0 else min(N + k, M)
        if size <= 0:
            return cls._empty((N, M), dtype=dtype, index_dtype=index_dtype)
        data = jnp.ones(size, dtype=dtype)
        return cls((data, *diagonal(size, k, index_dtype)), shape=(N, M), rows_sorted=True, cols_sorted=True)

    def todense(self):
        return coo_todense(self)

    def transpose(self, axes=None):
        if axes is not None:
            raise NotImplementedError("axes argument to transpose()")
        return COO((self.data, self.col, self.row), shape=self.shape[::-1], rows_sorted=self._cols_sorted, cols_sorted=self._rows_sorted)

    def tree_flatten(self):
        return (self.data, self.row, self.col), self._info._asdict()

    @classmethod
    def tree_unflatten(cls, aux_data, children):
        obj = object.__new__(cls)
        obj.data, obj.row, obj.col = children
        if aux_data.keys() != {"shape", "rows_sorted", "cols_sorted"}:
            raise ValueError(f"COO.tree_unflatten: invalid {aux_data=}")
        obj.shape, obj._rows_sorted, obj._cols_sorted = aux_data["shape"], aux_data["rows_sorted"], aux_data["cols_sorted"]
        return obj

    def __matmul__(self, other):
        data, other = promoted(self.data, other)
        mat = COO((data, self.row, self.col), **self._info._asdict())
        return product(other, lambda: coo_matvec(mat, other), lambda: coo_matmat(mat, other))


def promoted(data, other):
    """Elements and another operand in their common type.

    Raises NotImplementedError where the other one is sparse too.
    """
    if isinstance(other, JAXSparse):
        raise NotImplementedError("matmul between two sparse objects.")
    return core.promote_dtypes(data, jnp.asarray(other))


def product(other, matvec, matmat):
    if other.ndim == 1:
        return matvec()
    if other.ndim == 2:
        return matmat()
    raise NotImplementedError(f"matmul with object of shape {other.shape}")


# ------------------------------------------------------------------------------------------------------------- todense

def coo_todense(mat):
    return todense_buffers(*mat._bufs, spinfo=mat._info)


def todense_buffers(data, row, col, *, spinfo):
    return coo_todense_p.bind(data, row, col, spinfo=spinfo)


def _todense(data, row, col, *, spinfo):
    return jnp.zeros(spinfo.shape, data.dtype).at[row, col].add(data)


def _todense_transpose(ct, data, row, col, *, spinfo):
    if ad.is_undefined_primal(row) or ad.is_undefined_primal(col):
        raise ValueError("Cannot transpose with respect to sparse indices")
    return coo_extract(row, col, ct), row, col


coo_todense_p = primitive("coo_todense", False, lambda data, row, col, *, spinfo: core.ShapedArray(spinfo.shape, data.dtype), _todense)
ad.defjvp(coo_todense_p, lambda dot, data, row, col, *, spinfo: todense_buffers(dot, row, col, spinfo=spinfo), None, None)
ad.primitive_transposes[coo_todense_p] = _todense_transpose


# ----------------------------------------------------------------------------------------------------------- fromdense

def coo_fromdense(mat, *, nse=None, index_dtype=jnp.int32):
    if nse is None:
        nse = int((mat != 0).sum())
    nse = concrete_index(nse, "coo_fromdense nse argument")
    buffers = coo_fromdense_p.bind(jnp.asarray(mat), nse=nse, index_dtype=index_dtype)
    return COO(buffers, shape=mat.shape, rows_sorted=True)


def stored(mat, nse):
    """Elements that are not zero, as many as are asked for: whether each is there, itself, its row and column."""
    mat = jnp.asarray(mat)
    assert mat.ndim == 2
    row, col = jnp.nonzero(mat, size=nse)
    there = jnp.arange(nse) < (mat != 0).sum()
    return there, jnp.where(there, mat[row, col], 0), row, col


def _fromdense(mat, *, nse, index_dtype):
    _, data, row, col = stored(mat, nse)
    return data, row.astype(index_dtype), col.astype(index_dtype)


def _fromdense_types(mat, *, nse, index_dtype):
    places = core.ShapedArray((nse,), index_dtype)
    return core.ShapedArray((nse,), mat.dtype), places, places


def _fromdense_jvp(primals, tangents, **params):
    mat, = primals
    dot, = tangents
    data, row, col = found = coo_fromdense_p.bind(mat, **params)
    dot = tangent_zero(data) if type(dot) is ad.Zero else coo_extract(row, col, dot)
    return found, (dot, tangent_zero(row), tangent_zero(col))


coo_fromdense_p = primitive("coo_fromdense", True, _fromdense_types, _fromdense)
ad.primitive_jvps[coo_fromdense_p] = _fromdense_jvp


# ------------------------------------------------------------------------------------------------------------ products

def coo_matvec(mat, v, transpose=False):
    return matvec_buffers(*mat._bufs, v, spinfo=mat._info, transpose=transpose)


def matvec_buffers(data, row, col, v, *, spinfo, transpose=False):
    return coo_matvec_p.bind(data, row, col, v, spinfo=spinfo, transpose=transpose)


def coo_matmat(mat, B, *, transpose=False):
    return matmat_buffers(*mat._bufs, B, spinfo=mat._info, transpose=transpose)


def matmat_buffers(data, row, col, B, *, spinfo, transpose=False):
    return coo_matmat_p.bind(data, row, col, B, spinfo=spinfo, transpose=transpose)


def _product(data, row, col, x, *, spinfo, transpose):
    x = jnp.asarray(x)
    if transpose:
        row, col = col, row
    terms = (data if x.ndim == 1 else data[:, None]) * x[col]
    return jnp.zeros((spinfo.shape[1 if transpose else 0], *x.shape[1:]), terms.dtype).at[row].add(terms)


def _product_types(data, row, col, x, *, spinfo, transpose, ndim):
    assert data.shape == row.shape == col.shape
    assert data.dtype == x.dtype
    assert row.dtype == col.dtype
    assert len(spinfo.shape) == 2
    assert x.ndim == ndim
    rows, cols = spinfo.shape[::-1] if transpose else spinfo.shape
    assert x.shape[0] == cols
    return core.ShapedArray((rows, *x.shape[1:]), data.dtype)


def _matvec_transpose(ct, data, row, col, v, *, spinfo, transpose):
    if ad.is_undefined_primal(v):
        return data, row, col, matvec_buffers(data, row, col, ct, spinfo=spinfo, transpose=not transpose)
    return ct[row] * jnp.asarray(v)[col], row, col, v


def _matmat_transpose(ct, data, row, col, B, *, spinfo, transpose):
    if ad.is_undefined_primal(B):
        return data, row, col, matmat_buffers(data, row, col, ct, spinfo=spinfo, transpose=not transpose)
    return (ct[row] * jnp.asarray(B)[col]).sum(1), row, col, B


def _of_matvec(*avals, **params):
    return _product_types(*avals, ndim=1, **params)


def _of_matmat(*avals, **params):
    return _product_types(*avals, ndim=2, **params)


coo_matvec_p = primitive("coo_matvec", False, _of_matvec, _product)
ad.defjvp(coo_matvec_p, lambda dot, data, row, col, v, **params: matvec_buffers(dot, row, col, v, **params), None, None,
          lambda dot, data, row, col, v, **params: matvec_buffers(data, row, col, dot, **params))
ad.primitive_transposes[coo_matvec_p] = _matvec_transpose
coo_matmat_p = primitive("coo_matmat", False, _of_matmat, _product)
ad.defjvp(coo_matmat_p, lambda dot, data, row, col, B, **params: matmat_buffers(dot, row, col, B, **params), None, None,
          lambda dot, data, row, col, B, **params: matmat_buffers(data, row, col, dot, **params))
ad.primitive_transposes[coo_matmat_p] = _matmat_transpose
