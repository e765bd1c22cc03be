"""The classes of `scipy.sparse`."""
from _jitlens import core

from scipy._arrays import opaque
from scipy.sparse._reduced import Reduced, dense_of, is_known

# From so many elements on only shapes and types are known.
MOST = 1 << 18
_FULL = {"bsr": "Block Sparse Row", "coo": "COOrdinate", "csc": "Compressed Sparse Column", "csr": "Compressed Sparse Row", "dia": "DIAgonal",
         "dok": "Dictionary Of Keys", "lil": "List of Lists"}


class SparseWarning(Warning):
    pass


class SparseEfficiencyWarning(SparseWarning):
    pass


def issparse(x):
    return isinstance(x, _Sparse)


def made(kind, dense, stored=None):
    """A matrix of a class: its elements, and which are stored: `None` for those that are not zero, `False` if that is not known."""
    matrix = kind.__new__(kind)
    matrix._set(dense, stored)
    return matrix


def of_parts(kind, data, rows, columns, shape):
    """A matrix of numbers and their places; those that are there twice are added."""
    import numpy as np
    if core.is_unknown(data):
        return core.unmodelled("a sparse matrix whose numbers are not known")
    data = np.atleast_1d(data)
    if not is_known(rows) or not is_known(columns):
        if shape is None:
            return core.unmodelled("a sparse matrix whose places are not known")
        return made(kind, opaque(shape, data.dtype), False)
    rows, columns = np.atleast_1d(rows), np.atleast_1d(columns)
    if not len(data) == len(rows) == len(columns):
        raise ValueError("all index and data arrays must have the same length")
    if shape is None:
        if not len(rows):
            raise ValueError("cannot infer dimensions from zero sized index arrays")
        shape = (int(rows.max()) + 1, int(columns.max()) + 1)
    shape = (core.index(shape[0]), core.index(shape[1]))
    for axis, places in enumerate((rows, columns)):
        if len(places) and places.max() >= shape[axis]:
            raise ValueError(f"axis {axis} index {int(places.max())} exceeds matrix dimension {shape[axis]}")
        if len(places) and places.min() < 0:
            raise ValueError(f"negative axis {axis} index: {int(places.min())}")
    if shape[0] * shape[1] > MOST or len(data) > 20_000:
        return made(kind, opaque(shape, data.dtype), False)
    dense, stored = np.zeros(shape, data.dtype), np.zeros(shape, bool)
    np.add.at(dense, (rows, columns), data)
    stored[rows, columns] = True
    return made(kind, dense, stored)


def _is_scalar(x):
    return not issparse(x) and core.ndim(x) == 0


class _Sparse(Reduced):
    __array_priority__ = 10.1
    _offsets = _data = _parts = None
    _stored = False

    def __init__(self, arg1, shape=None, dtype=None, copy=False, *, blocksize=None, maxprint=None):
        import numpy as np
        self._data = self._parts = None
        if issparse(arg1):
            self._set(arg1._now(), arg1._stored)
        elif isinstance(arg1, tuple) and self.format != "dia" and len(arg1) == 2 and isinstance(arg1[1], (tuple, list)) and len(arg1[1]) == 2:
            data, (rows, columns) = arg1
            found = of_parts(type(self), data, rows, columns, shape)
            self._set(found._dense, found._stored)
            if self.format == "coo" and found._stored is not False:
                self._parts = [np.array(data), np.array(rows), np.array(columns)]
        elif isinstance(arg1, tuple) and len(arg1) == 2 and core.ndim(arg1[0]) == 0 and core.ndim(arg1[1]) == 0:
            rows, columns = core.index(arg1[0]), core.index(arg1[1])
            dtype = np.dtype(dtype or float)
            if rows < 0 or columns < 0:
                raise ValueError("'shape' elements cannot be negative")
            large = rows * columns > MOST
            self._set(opaque((rows, columns), dtype) if large else np.zeros((rows, columns), dtype), False if large else None)
            return
        elif isinstance(arg1, tuple) and self.format == "dia" and len(arg1) == 2:
            from . import spdiags
            if shape is None:
                raise ValueError("expected a shape argument")
            found = spdiags(arg1[0], arg1[1], shape[0], shape[1])
            self._set(found._now(), found._stored)
            self._offsets = found._offsets
        elif isinstance(arg1, tuple) and len(arg1) == 3 and self.format in ("csr", "csc"):
            data, indices, indptr = arg1
            if core.is_unknown(data) or not is_known(indices) or not is_known(indptr):
                if core.is_unknown(data) or shape is None:
                    return self._set(core.unmodelled("a sparse matrix whose places are not known"), False)
                return self._set(opaque(shape, np.asarray(data).dtype if dtype is None else np.dtype(dtype)), False)
            data, indices, indptr = [np.asarray(x) for x in arg1]
            counts = np.diff(indptr)
            across = np.repeat(np.arange(len(counts)), counts)
            if shape is None:
                shape = (len(counts), int(indices.max()) + 1)
                shape = shape if self.format == "csr" else shape[::-1]
            rows, columns = (across, indices) if self.format == "csr" else (indices, across)
            if len(indices) != len(data):
                raise ValueError("indices and data should have the same size")
            most = shape[1] if self.format == "csr" else shape[0]
            if len(indices) and (indices.max() >= most or indices.min() < 0):
                return self._set(core.unmodelled("a sparse matrix with elements outside of it"), False)
            found = of_parts(type(self), data, rows, columns, shape)
            # Out of order, or twice in a place, they are kept as they are given.
            is_sorted = len(data) < 2 or bool(np.all(np.diff(across * max(shape) + indices) > 0))
            self._set(found._dense, found._stored if is_sorted else False)
        elif isinstance(arg1, tuple):
            self._set(core.unmodelled("what a sparse matrix is made of"), False)
        else:
            try:
                dense = np.array(arg1)
            except ValueError:
                if self.format in ("csr", "csc"):
                    raise ValueError(f"unrecognized {type(self).__name__} constructor input: {arg1}") from None
                raise
            if dense.dtype.kind not in "biufc":
                return self._set(core.unmodelled("a sparse matrix of such elements"), False)
            if isinstance(self, spmatrix):
                if dense.ndim > 2:
                    if self.format in ("csr", "csc"):
                        raise ValueError(f"CSR arrays don't yet support {dense.ndim}D.")
                    return self._set(core.unmodelled("a sparse matrix of more than two axes"), False)
                dense = np.atleast_2d(dense)
            elif dense.ndim > 2 and self.format != "coo":
                rest = f"yet support {dense.ndim}D." if self.format == "csr" else f"support {dense.ndim}D input. Use 2D"
                raise ValueError(f"{self.format.upper()} arrays don't {rest}")
            self._set(dense, None if dense.size <= MOST else False)
        if shape is not None and tuple(shape) != self.shape:
            self._dense, self._stored = core.unmodelled("a sparse matrix of another shape than what it is made of"), False
        if dtype is not None:
            self._dense = self._dense.astype(dtype)
            self._parts = None if self._parts is None else [self._parts[0].astype(dtype), *self._parts[1:]]

    def _set(self, dense, stored):
        self._dense, self._stored, self._data, self._parts = dense, stored, None, None

    # ---------------------------------------------------------------------------------------------- what it holds

    def _now(self):
        """All elements, with what has been written to `data` since it was asked for."""
        if self._data is not None:
            import numpy as np
            mask = self._mask()
            dense = np.zeros(self._dense.shape, self._data.dtype)
            if self.format == "csc":
                turned = dense.T.copy()
                turned[mask.T] = self._data
                dense = turned.T.copy()
            else:
                dense[mask] = self._data
            self._dense = dense
        elif self._parts is not None:
            import numpy as np
            dense = np.zeros(self._dense.shape, self._parts[0].dtype)
            np.add.at(dense, (self._parts[1], self._parts[2]), self._parts[0])
            self._dense = dense
        return self._dense

    def _mask(self):
        """Which elements are stored."""
        if self._stored is False:
            return core.unmodelled("which elements of a sparse matrix are stored")
        return self._dense != 0 if self._stored is None else self._stored

    def _as(self, kind, dense, stored=False):
        return made(_CLASSES[(kind, self._is_array)], dense, stored)

    def _fixed(self):
        """The mask as it is now, to be kept by another matrix."""
        return self._stored if self._stored is False else self._mask().copy()

    @property
    def shape(self):
        return self._dense.shape

    @property
    def dtype(self):
        return self._dense.dtype if self._data is None else self._data.dtype

    @property
    def ndim(self):
        return self._dense.ndim

    @property
    def nnz(self):
        return self.getnnz()

    def getnnz(self, axis=None):
        if axis is not None:
            if self.format not in ("csr", "csc") or axis not in (0, 1):
                return core.unmodelled("how many elements are stored along an axis")
            return self._mask().sum(axis=axis).astype("int32" if (axis == 1) == (self.format == "csr") else "int64")
        if self._parts is not None:
            return len(self._parts[0])
        return int(self._mask().sum())

    def count_nonzero(self, axis=None):
        import numpy as np
        found = np.count_nonzero(self._now(), axis=axis)
        return np.int64(found) if axis is None else found

    @property
    def size(self):
        return self.nnz

    def _ordered(self):
        """The places of what is stored, in the order of `data`."""
        import numpy as np
        if self.format == "csc":
            columns, rows = np.nonzero(self._mask().T)
        else:
            rows, columns = np.nonzero(self._mask())
        return rows, columns

    @property
    def data(self):
        if self.format not in ("csr", "csc", "coo") or self.ndim != 2:
            return core.unmodelled(f"the data of a sparse matrix of format {self.format}")
        if self._parts is not None:
            return self._parts[0]
        if self._data is None:
            if self._stored is False:
                return core.unmodelled("which elements of a sparse matrix are stored")
            # From now on those are the same: what is written to the one changes the other.
            self._stored = self._fixed()
            self._data = self._dense[self._ordered()]
        return self._data

    @data.setter
    def data(self, value):
        self.data
        if self._parts is not None:
            self._parts[0] = value
        else:
            self._data = value

    def _places(self, axis):
        if self._is_array and self._stored is not None or self.ndim != 2:
            return core.unmodelled("the type of a sparse array's indices")
        if self._parts is not None:
            return self._parts[1 + axis].astype("int32")
        return self._ordered()[axis].astype("int32")

    def __getattr__(self, name):
        if name in ("row", "col") and self.format == "coo":
            return self._places(0 if name == "row" else 1)
        if name == "coords" and self.format == "coo":
            return self._places(0), self._places(1)
        if name == "indices" and self.format in ("csr", "csc"):
            return self._places(1 if self.format == "csr" else 0)
        if name == "indptr" and self.format in ("csr", "csc"):
            import numpy as np
            self._places(0)
            counts = self._mask().sum(axis=1 if self.format == "csr" else 0)
            return np.concatenate([np.zeros(1, int), np.cumsum(counts)]).astype("int32")
        if name in _OTHERS:
            return core.unmodelled(f"`{name}` of a sparse matrix")
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    # --------------------------------------------------------------------------------------------------- conversions

    def toarray(self, order=None, out=None):
        if out is not None:
            return core.unmodelled("`toarray` into an array")
        return self._now().copy()

    def todense(self, order=None, out=None):
        return self.toarray() if self._is_array else core.unmodelled("`numpy.matrix`")

    def asformat(self, format, copy=False):
        if format is None or format == self.format:
            return self.copy() if copy else self
        if format not in _FULL:
            raise ValueError(f"Format {format} is unknown.")
        # Diagonals, lists and dictionaries leave zeros out as they are turned into others.
        keeps = self.format in ("csr", "csc", "coo") and format in ("csr", "csc", "coo") and self._stored is not None
        stored = self._fixed() if keeps else (False if self._stored is False and self._is_opaque() else None)
        if format in ("dia", "bsr"):
            stored = False
        return self._as(format, self._now(), stored)

    def _is_opaque(self):
        rows = 1
        for n in self.shape:
            rows *= n
        return rows > MOST

    def tocsr(self, copy=False):
        return self.asformat("csr", copy)

    def tocsc(self, copy=False):
        return self.asformat("csc", copy)

    def tocoo(self, copy=False):
        return self.asformat("coo", copy)

    def tolil(self, copy=False):
        return self.asformat("lil", copy)

    def todok(self, copy=False):
        return self.asformat("dok", copy)

    def todia(self, copy=False):
        return self.asformat("dia", copy)

    def tobsr(self, blocksize=None, copy=False):
        return self.asformat("bsr", copy)

    def copy(self):
        result = self._as(self.format, self._now().copy(), self._stored)
        result._offsets = self._offsets
        if self._parts is not None:
            result._parts = [p.copy() for p in self._parts]
        return result

    def astype(self, dtype, casting="unsafe", copy=True):
        result = self._as(self.format, self._now().astype(dtype), self._stored)
        result._offsets = self._offsets
        return result

    def transpose(self, axes=None, copy=False):
        format = {"csr": "csc", "csc": "csr"}.get(self.format, self.format)
        result = self._as(format, self._now().T.copy(), self._stored if self._stored is None or self._stored is False else self._stored.T)
        result._offsets = None if self._offsets is None else [-k for k in self._offsets]
        return result

    @property
    def T(self):
        return self.transpose()

    def conj(self, copy=True):
        return self._as(self.format, self._now().conj(), self._stored)

    conjugate = conj

    @property
    def real(self):
        return self._as(self.format, self._now().real.copy(), self._stored)

    @property
    def imag(self):
        return self._as(self.format, self._now().imag.copy(), self._stored)

    def reshape(self, *shape, order="C", copy=False):
        shape = shape[0] if len(shape) == 1 else shape
        size = self.shape[0] * self.shape[-1] if self.ndim == 2 else self.shape[0]
        if isinstance(shape, tuple) and len(shape) == 2 and min(shape) >= 0 and shape[0] * shape[1] != size:
            raise ValueError(f"cannot reshape array of size {size} into shape {shape}")
        return self._as("lil" if self.format == "lil" else "coo", self._now().reshape(shape, order=order), False)

    # --------------------------------------------------------------------------------------------------- arithmetic

    def _scaled(self, by):
        result = self._as(self.format, self._of_stored(lambda x: x * by), self._fixed())
        result._offsets = self._offsets
        return result

    def _of_stored(self, function):
        """A function of what is stored: all others stay zeros, without a sign."""
        import numpy as np
        dense = self._now()
        found = function(dense)
        return np.where(dense != 0, found, np.zeros((), found.dtype))

    def _matmul(self, other):
        """The product of a matrix and an array, each sum from left to right as loops over what is stored go."""
        import numpy as np
        dense, offsets = self._now(), self._offsets
        rows, inner = dense.shape
        columns = other.shape[1] if other.ndim == 2 else 1
        dtype = np.result_type(dense.dtype, other.dtype)
        shape = (rows,) + other.shape[1:]
        if rows * inner * columns > MOST:
            return opaque(shape, dtype)
        if inner == 0 or rows == 0 or columns == 0:
            return np.zeros(shape, dtype)
        if dtype.kind == "b":
            return (dense.astype(int) @ other.astype(int)) != 0
        if offsets is not None and len(offsets) > 2:
            # One diagonal after the other.
            total = np.zeros(shape, dtype)
            for k in offsets:
                first, length = -min(k, 0), min(rows + min(k, 0), inner - max(k, 0))
                along = np.diagonal(dense, k).reshape((length,) + (1,) * (other.ndim - 1))
                total[first:first + length] += along * other[max(k, 0):max(k, 0) + length]
            return total
        dense, zero = dense.astype(dtype), np.zeros((), dtype)
        if other.ndim == 1:
            terms = np.where(dense != 0, dense * other, zero)
        else:
            dense = dense[:, :, None]
            terms = np.where(dense != 0, dense * other[None], zero)
        return np.cumsum(terms, axis=1, dtype=dtype)[:, -1]

    def _product(self, other):
        """`self @ other`, `NotImplemented` for what is no array."""
        import numpy as np
        if self.ndim != 2:
            return core.unmodelled("products of sparse arrays of one axis")
        if issparse(other):
            if other.ndim != 2:
                return core.unmodelled("products of sparse arrays of one axis")
            self._check_inner(other.shape)
            format = self.format if self.format in ("csr", "csc") else "dia" if self.format == other.format == "dia" else "csr"
            if format == "dia" and max(len(self._offsets or (0, 0)), len(other._offsets or (0, 0))) > 1:
                # In which order those are summed is not looked at.
                product = opaque((self.shape[0], other.shape[1]), np.result_type(self.dtype, other.dtype))
            else:
                product = made(type(self), self._now(), self._stored)._matmul(other._now())
            return self._as(format, product)
        other = np.asarray(other)
        if other.dtype.kind not in "biufc":
            return core.unmodelled("the product of a sparse matrix and no numbers")
        if other.ndim > 2:
            return core.unmodelled("the product of a sparse matrix and more than two axes")
        self._check_inner(other.shape)
        return self._matmul(other)

    def _check_inner(self, shape):
        rows, inner = self.shape
        if shape[0] != inner:
            columns = "1?" if len(shape) == 1 else shape[1]
            raise ValueError(f"matmul: dimension mismatch with signature (n,k={inner}),(k={shape[0]},{columns if len(shape) == 1 else 'm'})->"
                             f"(n,{'1?' if len(shape) == 1 else 'm'})")

    def dot(self, other):
        return self._scaled(other) if _is_scalar(other) else self._product(other)

    def __matmul__(self, other):
        if _is_scalar(other):
            raise ValueError("Scalar operands are not allowed, use '*' instead")
        return self._product(other)

    def __rmatmul__(self, other):
        if _is_scalar(other):
            raise ValueError("Scalar operands are not allowed, use '*' instead")
        import numpy as np
        other = np.asarray(other)
        turned = self.transpose()._product(other.T)
        return turned.T if issparse(turned) or turned.ndim < 2 else turned.T.copy()

    def __mul__(self, other):
        if _is_scalar(other):
            return self._scaled(other)
        return self.multiply(other) if self._is_array else self._product(other)

    def __imul__(self, other):
        if not _is_scalar(other) or self.format in ("lil", "dok"):
            return NotImplemented
        scaled = self._scaled(other)
        if scaled.dtype != self.dtype:
            return NotImplemented
        self._set(scaled._now(), scaled._stored)
        return self

    def __rmul__(self, other):
        if _is_scalar(other):
            return self._scaled(other)
        return self.multiply(other) if self._is_array else self.__rmatmul__(other)

    def multiply(self, other):
        if _is_scalar(other):
            return self._scaled(other)
        import numpy as np
        if issparse(other):
            if self.shape != other.shape:
                return core.unmodelled("products of sparse matrices of several shapes")
            kind = self.format if self.format in ("csr", "csc") else "csr"
            return self._as(kind, self._now() * other._now(), None)
        return self._as("coo", self._now() * np.asarray(other), False)

    def __truediv__(self, other):
        if _is_scalar(other):
            # Divided is by multiplying, in 64 bits.
            return (self.astype("float64") if self.dtype.kind in "biuf" else self)._scaled(1.0 / other)
        return core.unmodelled("quotients of sparse matrices")

    def __neg__(self):
        return self._as(self.format, self._of_stored(lambda x: -x), self._fixed())

    def _sum(self, other, sign):
        import numpy as np
        if _is_scalar(other):
            if core.is_static_integer(other) and other == 0 or isinstance(other, float) and other == 0:
                return self.copy()
            raise NotImplementedError(f"{'adding' if sign > 0 else 'subtracting'} a nonzero scalar {'to' if sign > 0 else 'from'} a sparse array is not "
                                      "supported")
        if issparse(other):
            if self.shape != other.shape:
                raise ValueError("inconsistent shapes")
            owner = other if sign > 0 and self.format == "dia" != other.format else self
            kind = owner.format if owner.format in ("csr", "csc") or self.format == other.format == "dia" else "csr"
            dense = self._now() + other._now() if sign > 0 else self._now() - other._now()
            # What has diagonals leaves a sum to the other.
            result = owner._as(kind, dense, None if kind != "dia" else False)
            if kind == "dia" and self._offsets is not None and self._offsets == other._offsets:
                result._offsets = self._offsets
            return result
        dense = self._now() + np.asarray(other) if sign > 0 else self._now() - np.asarray(other)
        return dense if self._is_array else core.unmodelled("`numpy.matrix`")

    def __add__(self, other):
        return self._sum(other, 1)

    def __radd__(self, other):
        return self._sum(other, 1)

    def __sub__(self, other):
        return self._sum(other, -1)

    def __rsub__(self, other):
        return (-self)._sum(other, 1)

    def __abs__(self):
        return self._as(self.format, abs(self._now()), self._fixed())

    def power(self, n, dtype=None):
        return self._as(self.format, self._now() ** n, self._fixed())

    def __pow__(self, n):
        if self._is_array:
            return self.power(n)
        if not core.is_static_integer(n) or n < 1 or n > 8:
            return core.unmodelled("such a power of a sparse matrix")
        result = self
        for _ in range(n - 1):
            result = result._product(self)
        return result

    def _compared(self, other, compare):
        kind = self.format if self.format in ("csr", "csc") else "csr"
        return self._as(kind, compare(self._now(), dense_of(other)), None)

    def __eq__(self, other):
        if not issparse(other) and not _is_scalar(other):
            return core.unmodelled("a comparison of a sparse matrix with an array")
        return self._compared(other, lambda a, b: a == b)

    def __ne__(self, other):
        if not issparse(other) and not _is_scalar(other):
            return core.unmodelled("a comparison of a sparse matrix with an array")
        return self._compared(other, lambda a, b: a != b)

    def __lt__(self, other):
        return self._compared(other, lambda a, b: a < b)

    def __gt__(self, other):
        return self._compared(other, lambda a, b: a > b)

    def __le__(self, other):
        return self._compared(other, lambda a, b: a <= b)

    def __ge__(self, other):
        return self._compared(other, lambda a, b: a >= b)

    __hash__ = None

    # ------------------------------------------------------------------------------------------------------ elements

    def _index(self, index):
        if self.format in ("dia", "bsr"):
            raise TypeError(f"'{type(self).__name__}' object is not subscriptable")
        if self.format == "coo" or self.ndim != 2:
            return core.unmodelled(f"elements of a sparse matrix of format {self.format}")
        index = index if isinstance(index, tuple) else (index,)
        if any([x is None or x is Ellipsis or issparse(x) for x in index]) or len(index) > 2:
            return core.unmodelled("such an index of a sparse matrix")
        return index + (slice(None),) if len(index) == 1 else index

    def __getitem__(self, index):
        index = self._index(index)
        if core.ndim(index[0]) > 1:
            if len(index) == 2 and isinstance(index[1], slice):
                return core.unmodelled("such an index of a sparse matrix")
        whole = [not isinstance(x, slice) and core.ndim(x) == 0 for x in index]
        for axis, w in enumerate(whole):
            if w and not -self.shape[axis] <= index[axis] < self.shape[axis]:
                raise IndexError(f"index ({index[axis]}) out of range")
        if all(whole):
            return self._now()[index]
        if not self._is_array:
            if not any([isinstance(x, slice) for x in index]) and not any([core.ndim(x) > 1 for x in index]) and not any(whole):
                return core.unmodelled("`numpy.matrix`")
            # A row or column is a matrix still.
            index = tuple([slice(x, x + 1 if x != -1 else None) if w else x for x, w in zip(index, whole)])
        dense = self._now()[index]
        stored = self._stored if self._stored is None or self._stored is False else self._stored[index]
        return self._as("coo" if dense.ndim == 1 else self.format, dense, stored)

    def __setitem__(self, index, value):
        if self.format in ("dia", "bsr", "coo"):
            raise TypeError(f"'{type(self).__name__}' object does not support item assignment")
        dense = self._now().copy()
        self._set(dense, None if self.format in ("lil", "dok") else False)
        index = self._index(index)
        value = dense_of(value)
        row_is_part, column_is_one = isinstance(index[0], slice) or core.ndim(index[0]), not isinstance(index[1], slice) and core.ndim(index[1]) == 0
        if row_is_part and column_is_one:
            if core.ndim(value) == 1:
                self._set(opaque(dense.shape, dense.dtype), False)
                return
            index = (index[0], slice(index[1], index[1] + 1 if index[1] != -1 else None))
        dense[index] = value

    def getrow(self, i):
        return self.tocsr()[i]

    def getcol(self, j):
        return self.tocsc()[:, j]

    def setdiag(self, values, k=0):
        dense = self._now().copy()
        import numpy as np
        length = min(dense.shape[0] + min(k, 0), dense.shape[1] - max(k, 0))
        if core.ndim(values):
            length = min(length, len(values))
            values = np.asarray(values)[:length]
        places = np.arange(length)
        dense[places - min(k, 0), places + max(k, 0)] = values
        self._set(dense, None if self.format in ("lil", "dok") else False)

    def eliminate_zeros(self):
        self._set(self._now(), None)

    def sum_duplicates(self):
        stored = self._stored
        self._set(self._now(), stored)

    def sort_indices(self):
        pass

    def __len__(self):
        raise TypeError("sparse array length is ambiguous; use getnnz() or shape[0]")

    def __bool__(self):
        if self.shape == (1, 1):
            return self.nnz != 0
        raise ValueError("The truth value of an array with more than one element is ambiguous. Use a.any() or a.all().")

    def __iter__(self):
        for i in range(self.shape[0]):
            yield self[i]

    def __repr__(self):
        kind = "array" if self._is_array else "matrix"
        more = ""
        if self.format == "dia":
            if self._offsets is None:
                return core.unmodelled("how many diagonals a sparse matrix has")
            more = f" ({len(self._offsets)} diagonals)"
        if self.format == "bsr":
            return core.unmodelled("the blocks of a sparse matrix")
        return (f"<{_FULL[self.format]} sparse {kind} of dtype '{self.dtype}'\n\twith {self.nnz} stored elements{more} and shape {self.shape}>")

    def __str__(self):
        return core.unmodelled("the text of a sparse matrix")


_OTHERS = frozenset("""arcsin arcsinh arctan arctanh argmax argmin asfptype blocksize ceil check_format col coords data deg2rad expm1 floor get getmaxprint
    has_canonical_format has_sorted_indices indices indptr items keys log1p maxprint mT nanmax nanmin offsets prune rad2deg resize rint row rows
    set_shape sign sin sinh sorted_indices sqrt tan tanh trunc values setdefault update pop""".split())


class sparray(_Sparse):
    _is_array = True


class spmatrix(_Sparse):
    _is_array = False

    def getH(self):
        return self.conj().transpose()

    def get_shape(self):
        return self.shape

    def getformat(self):
        return self.format


class csr_matrix(spmatrix):
    format = "csr"


class csc_matrix(spmatrix):
    format = "csc"


class coo_matrix(spmatrix):
    format = "coo"


class dia_matrix(spmatrix):
    format = "dia"


class lil_matrix(spmatrix):
    format = "lil"


class dok_matrix(spmatrix):
    format = "dok"


class bsr_matrix(spmatrix):
    format = "bsr"


class csr_array(sparray):
    format = "csr"


class csc_array(sparray):
    format = "csc"


class coo_array(sparray):
    format = "coo"


class dia_array(sparray):
    format = "dia"


class lil_array(sparray):
    format = "lil"


class dok_array(sparray):
    format = "dok"


class bsr_array(sparray):
    format = "bsr"


_CLASSES = {(kind.format, issubclass(kind, sparray)): kind for kind in
            (csr_matrix, csc_matrix, coo_matrix, dia_matrix, lil_matrix, dok_matrix, bsr_matrix,
             csr_array, csc_array, coo_array, dia_array, lil_array, dok_array, bsr_array)}
