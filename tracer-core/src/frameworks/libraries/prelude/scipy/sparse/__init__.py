"""`scipy.sparse`: matrices that hold all their elements, and the name of a format; what is said of storage is worked out from the elements."""
from _jitlens import core

from scipy._arrays import opaque
from ._classes import (SparseEfficiencyWarning, SparseWarning, bsr_array, bsr_matrix, coo_array, coo_matrix, csc_array, csc_matrix, csr_array,
                       csr_matrix, dia_array, dia_matrix, dok_array, dok_matrix, issparse, lil_array, lil_matrix, made, of_parts, sparray, spmatrix)

_FORMATS = ("bsr", "coo", "csc", "csr", "dia", "dok", "lil")


def isspmatrix(x):
    return isinstance(x, spmatrix)


def _of_format(format):
    def asked(x):
        return isinstance(x, spmatrix) and x.format == format
    return asked


isspmatrix_bsr, isspmatrix_coo, isspmatrix_csc, isspmatrix_csr = [_of_format(f) for f in ("bsr", "coo", "csc", "csr")]
isspmatrix_dia, isspmatrix_dok, isspmatrix_lil = [_of_format(f) for f in ("dia", "dok", "lil")]


# ---------------------------------------------------------------------------------------------------------- diagonals

def diags(diagonals, offsets=0, shape=None, format=None, dtype=None):
    return _diags(diagonals, offsets, shape, format, dtype, False)


def diags_array(diagonals, /, *, offsets=0, shape=None, format=None, dtype=None):
    return _diags(diagonals, offsets, shape, format, dtype, True)


def _diags(diagonals, offsets, shape, format, dtype, is_array):
    import numpy as np
    if core.ndim(offsets) == 0:
        # One diagonal may stand there without a list around it.
        alone = len(diagonals) == 0 or core.ndim(diagonals[0]) == 0
        if not alone and len(diagonals) != 1:
            raise ValueError("Different number of diagonals and offsets.")
        diagonals = [np.atleast_1d(diagonals if alone else diagonals[0])]
    else:
        diagonals = [np.atleast_1d(d) for d in diagonals]
    offsets = [int(k) for k in np.atleast_1d(offsets)]
    if len(diagonals) != len(offsets):
        raise ValueError("Different number of diagonals and offsets.")
    if shape is None:
        n = len(diagonals[0]) + abs(offsets[0])
        shape = (n, n)
    if dtype is None:
        dtype = np.common_type(*diagonals)
    rows, columns = shape
    for d, k in zip(diagonals, offsets):
        length = min(rows + min(k, 0), columns - max(k, 0))
        if length < 0:
            raise ValueError(f"Offset {k} (index {offsets.index(k)}) out of bounds")
        if len(d) < length and len(d) != 1:
            raise ValueError(f"Diagonal length (index {offsets.index(k)}: {len(d)} at offset {k}) does not agree with array size ({rows}, {columns}).")
    return _of_diagonals(diagonals, offsets, (rows, columns), np.dtype(dtype), format, is_array)


def _of_diagonals(diagonals, offsets, shape, dtype, format, is_array):
    import numpy as np
    from ._classes import MOST
    rows, columns = shape
    kind = dia_array if is_array else dia_matrix
    if rows * columns > MOST:
        return made(kind, opaque(shape, dtype), False).asformat(format)
    dense, stored = np.zeros(shape, dtype), np.zeros(shape, bool)
    for d, k in zip(diagonals, offsets):
        length = min(rows + min(k, 0), columns - max(k, 0))
        places = np.arange(length)
        dense[places - min(k, 0), places + max(k, 0)] = d[:length]
        stored[places - min(k, 0), places + max(k, 0)] = True
    result = made(kind, dense, stored)
    result._offsets = offsets
    return result.asformat(format)


def spdiags(data, diags, m=None, n=None, format=None):
    import numpy as np
    data, offsets = np.atleast_2d(data), [int(k) for k in np.atleast_1d(diags)]
    rows, columns = m if n is None else (m, n)
    parts = []
    for d, k in zip(data, offsets):
        length = max(0, min(rows + min(k, 0), columns - max(k, 0)))
        part = d[max(k, 0):max(k, 0) + length]
        if len(part) < length:
            part = np.concatenate([part, np.zeros(length - len(part), data.dtype)])
        parts.append(part)
    return _of_diagonals(parts, offsets, (rows, columns), data.dtype, format, False)


def _eye(m, n, k, dtype, format, is_array):
    import numpy as np
    m, k = core.index(m), core.index(k)
    n = m if n is None else core.index(n)
    length = max(0, min(m + min(k, 0), n - max(k, 0)))
    dtype = np.dtype(dtype)
    return _of_diagonals([np.ones(length, dtype)], [k], (m, n), dtype, format, is_array)


def eye(m, n=None, k=0, dtype=float, format=None):
    return _eye(m, n, k, dtype, format, False)


def eye_array(m, n=None, *, k=0, dtype=float, format=None):
    return _eye(m, n, k, dtype, format, True)


def identity(n, dtype="d", format=None):
    return _eye(n, None, 0, dtype, format, False)


# ---------------------------------------------------------------------------------------------------- put together

def _sparse(block):
    return block if issparse(block) else coo_matrix(block)


def _joined(blocks, axis, format, dtype):
    import numpy as np
    blocks = [_sparse(b) for b in blocks]
    is_array = any([isinstance(b, sparray) for b in blocks])
    other, expected = 1 - axis, blocks[0].shape[1 - axis]
    for i, b in enumerate(blocks):
        if b.shape[other] == expected:
            continue
        same = {b.format for b in blocks}
        if same in ({"csr"}, {"csc"}) and format in (None, *same):
            if same == {("csr", "csc")[axis]}:
                raise ValueError(f"incompatible dimensions for axis {other}")
            raise ValueError(f"Mismatching dimensions along axis {other}: { {b.shape[other] for b in blocks} }")
        place = (f"blocks[:,0] has incompatible column dimensions. Got blocks[{i},0]", f"blocks[0,:] has incompatible row dimensions. Got blocks[0,{i}]")
        raise ValueError(f"{place[axis]}.shape[{other}] == {b.shape[other]}, expected {expected}.")
    dense = np.concatenate([b._now() for b in blocks], axis=axis)
    stored = False if any([b._stored is False for b in blocks]) else np.concatenate([b._mask() for b in blocks], axis=axis)
    if format is None:
        # Blocks that are compressed along the axis stay so.
        format = "csr" if all([b.format == "csr" for b in blocks]) else "csc" if all([b.format == "csc" for b in blocks]) else "coo"
    result = made(coo_array if is_array else coo_matrix, dense, stored).asformat(format)
    return result if dtype is None else result.astype(dtype)


def hstack(blocks, format=None, dtype=None):
    return _joined(blocks, 1, format, dtype)


def vstack(blocks, format=None, dtype=None):
    return _joined(blocks, 0, format, dtype)


def _blocks(blocks, format, dtype):
    import numpy as np
    rows = [[None if b is None else _sparse(b) for b in row] for row in blocks]
    heights, widths = [None] * len(rows), [None] * len(rows[0])
    for i, row in enumerate(rows):
        for j, b in enumerate(row):
            if b is not None:
                if heights[i] not in (None, b.shape[0]) or widths[j] not in (None, b.shape[1]):
                    raise ValueError("incompatible dimensions among the blocks")
                heights[i], widths[j] = b.shape
    if None in heights or None in widths:
        return core.unmodelled("blocks of which a whole row or column is left out")
    types = [b.dtype for row in rows for b in row if b is not None]
    dense = [[np.zeros((heights[i], widths[j]), types[0]) if b is None else b._now() for j, b in enumerate(row)] for i, row in enumerate(rows)]
    is_array = any([isinstance(b, sparray) for row in rows for b in row])
    result = made(coo_array if is_array else coo_matrix, np.block(dense).astype(np.result_type(*types)), False)
    result = result.asformat(format)
    return result if dtype is None else result.astype(dtype)


def bmat(blocks, format=None, dtype=None):
    return _blocks(blocks, format, dtype)


block_array = bmat


def block_diag(mats, format=None, dtype=None):
    mats = list(mats)
    return _blocks([[m if i == j else None for j in range(len(mats))] for i, m in enumerate(mats)], format, dtype)


def kron(A, B, format=None):
    import numpy as np
    A, B = _sparse(A), _sparse(B)
    is_array = isinstance(A, sparray) or isinstance(B, sparray)
    if format is None or format == "bsr":
        # A second factor with most of its elements there makes blocks.
        if B._stored is False:
            return core.unmodelled("the format of a product of sparse matrices")
        rows, columns = B.shape
        format = "bsr" if 2 * B.nnz >= rows * columns else "coo"
    return made(coo_array if is_array else coo_matrix, np.kron(A._now(), B._now()), False).asformat(format)


def kronsum(A, B, format=None):
    A, B = _sparse(A), _sparse(B)
    return (kron(identity(B.shape[0]), A, "csr") + kron(B, identity(A.shape[0]), "csr")).asformat(format or "csr")


def _part(A, name, k, format):
    import numpy as np
    A = _sparse(A)
    kind = coo_array if isinstance(A, sparray) else coo_matrix
    return made(kind, getattr(np, name)(A._now(), k), False).asformat(format)


def tril(A, k=0, format=None):
    return _part(A, "tril", k, format)


def triu(A, k=0, format=None):
    return _part(A, "triu", k, format)


def find(A):
    import numpy as np
    dense = _sparse(A)._now()
    rows, columns = np.nonzero(dense)
    return rows.astype("int32"), columns.astype("int32"), dense[rows, columns]


def random(m, n, density=0.01, format="coo", dtype=None, rng=None, data_rvs=None, **kwargs):
    return _random((m, n), format, dtype, False)


rand = random


def random_array(shape, *, density=0.01, format="coo", dtype=None, rng=None, data_sampler=None, **kwargs):
    return _random(shape, format, dtype, True)


def _random(shape, format, dtype, is_array):
    import numpy as np
    return made(coo_array if is_array else coo_matrix, opaque(shape, np.dtype(dtype or float)), False).asformat(format)


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    if name in ("linalg", "csgraph"):
        from importlib import import_module
        return import_module("scipy.sparse." + name)
    return core.unknown(f"`scipy.sparse.{name}` is not modelled")
