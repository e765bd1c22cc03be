"""`numpy.polynomial.polyutils`: series, their trailing zeros, and domains."""
import operator

import numpy as np


def as_int(x, desc):
    try:
        return operator.index(x)
    except TypeError as e:
        raise TypeError(f"{desc} must be an integer, received {x}") from e


def as_series(alist, trim=True):
    arrays = [np.array(a, ndmin=1, copy=None) for a in alist]
    for a in arrays:
        if a.size == 0:
            raise ValueError("Coefficient array is empty")
        if a.ndim != 1:
            raise ValueError("Coefficient array is not 1-d")
    if trim:
        arrays = [trimseq(a) for a in arrays]
    kind = np.result_type(float, *arrays)
    return [a.astype(kind) for a in arrays]


def trimseq(seq):
    if len(seq) == 0 or seq[-1] != 0:
        return seq
    for i in range(len(seq) - 1, -1, -1):
        if seq[i] != 0:
            break
    return seq[:i + 1]


def trimcoef(c, tol=0):
    if tol < 0:
        raise ValueError("tol must be non-negative")
    [c] = as_series([c])
    [large] = np.nonzero(np.abs(c) > tol)
    return c[:1] * 0 if len(large) == 0 else c[:large[-1] + 1].copy()


def plain_add(a, b):
    """The sum of two series, without a look at its zeros."""
    if len(a) < len(b):
        a, b = b, a
    return np.concatenate([a[:len(b)] + b, a[len(b):]]) if len(a) > len(b) else a + b


def add(c1, c2):
    c1, c2 = as_series([c1, c2])
    return trimseq(plain_add(c1, c2))


def sub(c1, c2):
    c1, c2 = as_series([c1, c2])
    return trimseq(plain_add(c1, -c2))


def getdomain(x):
    [x] = as_series([x], trim=False)
    if x.dtype.kind == "c":
        return np.array((complex(x.real.min(), x.imag.min()), complex(x.real.max(), x.imag.max())))
    return np.array((x.min(), x.max()))


def mapparms(old, new):
    length, wanted = old[1] - old[0], new[1] - new[0]
    return (old[1] * new[0] - old[0] * new[1]) / length, wanted / length


def mapdomain(x, old, new):
    if type(x) not in (int, float, complex) and not isinstance(x, np.generic):
        x = np.asanyarray(x)
    off, scale = mapparms(old, new)
    return off + scale * x


def format_float(x, parens=False):
    text = str(float(x))
    return f"({text})" if parens else text
