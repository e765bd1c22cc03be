"""`numpy.linalg`: the functions of `jax.numpy.linalg` on NumPy's arrays."""
import math
from collections import namedtuple

from _jitlens import core
from _jitlens.python import is_unknown

from . import _names


class LinAlgError(ValueError):
    __module__ = "numpy.linalg"


_RESULTS = {
    "eig": namedtuple("EigResult", "eigenvalues eigenvectors"),
    "eigh": namedtuple("EighResult", "eigenvalues eigenvectors"),
    "qr": namedtuple("QRResult", "Q R"),
    "slogdet": namedtuple("SlogdetResult", "sign logabsdet"),
    "svd": namedtuple("SVDResult", "U S Vh"),
}

# Those that keep integers.
def _of_matrices(name, args, kwargs):
    """What NumPy refuses before it computes anything, in its own words."""
    a = core.numpy_array(args[0])
    if name in ("svd", "svdvals", "qr", "cond", "pinv", "lstsq") and a.ndim < 2:
        if name == "lstsq" or name == "cond":
            raise LinAlgError(f"{a.ndim}-dimensional array given. Array must be " + ("two-dimensional" if name == "lstsq" else "at least two-dimensional"))
        raise LinAlgError(f"{a.ndim}-dimensional array given. Array must be at least two-dimensional")
    if name in ("pinv", "lstsq", "matrix_rank") and a.dtype.name in ("bfloat16", "int4", "uint4") and _looks_up(name, args, kwargs):
        raise ValueError(f"data type {a.dtype.type!r} not inexact")
    if name == "lstsq" and a.ndim != 2:
        raise LinAlgError(f"{a.ndim}-dimensional array given. Array must be two-dimensional")
    if name in ("svd", "pinv") and kwargs.get("hermitian") and a.shape[-1] != a.shape[-2]:
        raise LinAlgError("Last 2 dimensions of the array must be square")
    if name in ("trace", "diagonal") and a.ndim < 2:
        raise ValueError("diag requires an array of at least two dimensions")
    if name == "vecdot" and len(args) > 1:
        b = core.numpy_array(args[1])
        for i, one in enumerate((a, b)):
            if one.ndim == 0:
                raise ValueError(f"vecdot: Input operand {i} does not have enough dimensions (has 0, gufunc core with signature (n),(n)->() requires 1)")
        axis = kwargs.get("axis", -1)
        if core.is_static_integer(axis):
            from ._shapes import _axis
            _axis(axis, a.ndim)
    if name == "tensordot" and len(args) > 1 and core.is_static_integer(kwargs.get("axes", args[2] if len(args) > 2 else 2)):
        axes = kwargs.get("axes", args[2] if len(args) > 2 else 2)
        if axes > a.ndim or axes > core.ndim(core.numpy_array(args[1])):
            raise IndexError("tuple index out of range")
    if name == "matmul" and len(args) > 1:
        import numpy
        numpy.matmul(a, core.numpy_array(args[1]))
    if a.ndim == 2 and a.dtype.kind in "biuf" and (name in ("inv", "solve") or name == "cholesky" and len(args) == 1 and not kwargs):
        _check_numbers(name, a)


_MOST_ROWS = 16


def _check_numbers(name, a):
    """Refuses matrices that are singular, or not positive definite, however their elimination is rounded."""
    n, columns = a.shape
    if is_unknown(n) or n != columns or n > _MOST_ROWS or not core.is_static_integer(n):
        return
    rows = a.tolist()
    if is_unknown(rows) or any([is_unknown(x) or x != x for row in rows for x in row]):
        return
    if name == "cholesky":
        if _is_indefinite(rows):
            raise LinAlgError("Matrix is not positive definite")
    elif any([not any(row) for row in rows]) or any([not any([row[j] for row in rows]) for j in range(n)]) or _has_multiples(rows):
        raise LinAlgError("Singular matrix")


def _is_indefinite(rows):
    """Whether a number on the diagonal, or that of two rows, is clearly negative."""
    for i, row in enumerate(rows):
        if row[i] <= 0 or any([row[j] * row[j] > row[i] * rows[j][j] * 1.00001 for j in range(i)]):
            return True
    return False


def _has_multiples(rows):
    """Whether a row is another one times a power of two: elimination does the same with both."""
    seen = []
    for row in rows:
        first = [x for x in row if x][0]
        scale = math.ldexp(1.0, -math.frexp(first)[1]) * (1 if first > 0 else -1)
        scaled = [x * scale for x in row]
        if scaled in seen:
            return True
        seen.append(scaled)
    return False


def _looks_up(name, args, kwargs):
    """Whether a tolerance is computed from the array's own type, which narrow types of others do not have."""
    given = kwargs.get("rcond", args[1] if len(args) > 1 and name == "pinv" else None)
    return name == "pinv" and given is None and kwargs.get("rtol", 0) is None


def _of_norm(x, ord=None, axis=None, keepdims=False):
    """Whatever is no float is computed in double precision, and axes are made integers."""
    x = core.numpy_array(x)
    if x.dtype.kind not in "fc":
        x = x.astype("float64")
    if axis is not None and not isinstance(axis, tuple):
        try:
            axis = int(axis)
        except Exception:
            raise TypeError("'axis' must be None, an integer or a tuple of integers") from None
    return (x,), {"ord": ord, "axis": axis, "keepdims": keepdims}


def multi_dot(arrays, *, out=None):
    """Products from whichever side is cheaper: the type is the same. Only the ends may have one axis."""
    import numpy
    arrays = list(arrays)
    n = len(arrays)
    if n < 2:
        raise ValueError("Expecting at least two arrays.")
    if n == 2:
        return numpy.dot(arrays[0], arrays[1], out=out)
    arrays = [core.numpy_array(a) for a in arrays]
    first, last = arrays[0].ndim, arrays[-1].ndim
    if first == 1:
        arrays[0] = numpy.atleast_2d(arrays[0])
    if last == 1:
        arrays[-1] = numpy.atleast_2d(arrays[-1]).T
    for a in arrays:
        if a.ndim != 2:
            raise LinAlgError(f"{a.ndim}-dimensional array given. Array must be two-dimensional")
    made = arrays[0]
    for a in arrays[1:]:
        made = numpy.dot(made, a)
    if first == last == 1:
        return made[0, 0]
    return made.ravel() if 1 in (first, last) else made


def tensorinv(a, ind=2):
    a = core.numpy_array(a)
    if ind <= 0:
        raise ValueError("Invalid ind argument.")
    rows, columns = 1, 1
    for n in a.shape[ind:]:
        rows *= n
    for n in a.shape[:ind]:
        columns *= n
    import numpy
    return numpy.linalg.inv(a.reshape(rows, -1) if rows else a.reshape(0, columns)).reshape(*a.shape[ind:], *a.shape[:ind])


def tensorsolve(a, b, axes=None):
    import numpy
    a, b = core.numpy_array(a), core.numpy_array(b)
    if axes is not None:
        order = list(range(a.ndim))
        for k in axes:
            order.remove(k)
            order.insert(a.ndim, k)
        a = a.transpose(order)
    shape = a.shape[-(a.ndim - b.ndim):]
    count = 1
    for n in shape:
        count *= n
    if a.size != count ** 2:
        raise LinAlgError("Input arrays must satisfy the requirement             prod(a.shape[b.ndim:]) == prod(a.shape[:b.ndim])")
    found = core.numpy_array(numpy.linalg.solve(a.reshape(count, count), b.reshape(-1)))
    return found.reshape(shape)


# What arrays are called where they are given by name, if not `a` and `b`.
_ARRAYS = {"matrix_rank": ("A",), "cond": ("x",), "norm": ("x",)}
_EXACT = "cross diagonal matmul matrix_transpose outer tensordot trace vecdot".split()
_SQUARE = "inv det slogdet eig eigh eigvals eigvalsh cholesky solve matrix_power tensorinv".split()


def __getattr__(name):
    import jax.numpy as jnp
    inner = None if name.startswith("_") or name not in _names.of("numpy.linalg") else getattr(jnp.linalg, name, None)
    if inner is None:
        return _names.missing("numpy.linalg", name)
    square, names = name in _SQUARE, _ARRAYS.get(name, ("a", "b"))

    def function(*args, **kwargs):
        while len(args) < len(names) and names[len(args)] in kwargs:
            args = args + (kwargs.pop(names[len(args)]),)
        if name == "norm":
            args, kwargs = _of_norm(*args, **kwargs)
        if args:
            _of_matrices(name, args, kwargs)
        if square and args:
            _check_square(core.numpy_array(args[0]))
        exact = name in _EXACT or name == "matrix_power" and len(args) > 1 and core.is_static_integer(args[1]) and args[1] >= 0
        if name == "pinv" and args and core.ndim(core.numpy_array(args[0])) < 2:
            _check_square(core.numpy_array(args[0]))
        made = core.numpy_call(inner, name, tuple([core.numpy_array(a) if core.is_array(a) else a for a in args]) if exact else _wide(args), kwargs)
        if name == "tensordot":
            return core.numpy_array(made)
        if name == "matrix_rank" and args and core.ndim(core.numpy_array(args[0])) < 2:
            return int(core.numpy_array(args[0]).any())
        if name == "lstsq":
            made = (made[0], *least_squares(made[1:], *core.shape(core.numpy_array(args[0]))))
        if name in ("eig", "eigvals") and args:
            made = _plainly_real(name, made, args[0])
        return _RESULTS[name](*made) if name in _RESULTS and isinstance(made, tuple) else made
    function.__name__ = name
    globals()[name] = function
    return function


def _plainly_real(name, made, a):
    """Eigenvalues of a real matrix are real numbers where no imaginary part is left."""
    values = made if name == "eigvals" else made[0]
    if core.numpy_array(a).dtype.kind == "c" or values.imag.any():
        return made
    return values.real if name == "eigvals" else (values.real, made[1].real)


def _wide(args):
    """Integers are computed in double precision."""
    made = []
    for a in args:
        if isinstance(a, (list, tuple)) or hasattr(a, "dtype"):
            a = core.numpy_array(a) if not isinstance(a, (list, tuple)) or _is_numbers(a) else a
            if hasattr(a, "dtype") and (a.dtype.kind in "biu" or a.dtype.name == "bfloat16") and a.ndim:
                a = a.astype("float64")
        made.append(a)
    return tuple(made)


def least_squares(made, m, n):
    """What comes with a solution of `m` equations for `n` unknowns: residuals are left out where there are none, and the rank is a C integer."""
    residuals, rank, values = made
    if m <= n or rank < n:
        residuals = residuals[:0]
    return residuals, core.numpy_scalar(rank, core.named_dtype("int32")), values


def _is_numbers(items):
    return bool(items) and all(isinstance(i, (int, float, complex, list)) for i in items)


def _check_square(a):
    if a.ndim < 2:
        raise LinAlgError(f"{a.ndim}-dimensional array given. Array must be at least two-dimensional")
    if a.shape[-1] != a.shape[-2]:
        raise LinAlgError("Last 2 dimensions of the array must be square")
