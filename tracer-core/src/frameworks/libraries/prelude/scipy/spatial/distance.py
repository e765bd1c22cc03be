"""`scipy.spatial.distance`: distances, in double precision."""

from _jitlens import core
from _jitlens.python import called_again

from .. import _arrays
from .._arrays import numbers, opaque, refuse_tracers

__getattr__ = _arrays.functions("scipy.spatial.distance")


def _points(x, metric):
    called_again([metric] if callable(metric) else [])
    x = numbers(x)
    return x if x.ndim == 2 and x.dtype.kind != "c" else core.unknown("distances of these numbers")


def cdist(XA, XB, metric="euclidean", *, out=None, **kwargs):
    refuse_tracers((XA, XB), {})
    a, b = _points(XA, metric), _points(XB, metric)
    if out is not None or a.shape[1] != b.shape[1]:
        return core.unknown("options of `cdist`")
    return opaque((a.shape[0], b.shape[0]), "float64")


def pdist(X, metric="euclidean", *, out=None, **kwargs):
    refuse_tracers((X,), {})
    n = _points(X, metric).shape[0]
    return opaque((n * (n - 1) // 2,), "float64") if out is None else core.unknown("`out` of `pdist`")


def squareform(X, force="no", checks=True):
    x = numbers(X)
    if x.ndim == 1:
        n = 1
        while n * (n - 1) // 2 < x.shape[0]:
            n += 1
        return opaque((n, n), x.dtype) if x.shape[0] and n * (n - 1) // 2 == x.shape[0] else core.unknown("which square a vector makes")
    n = x.shape[0] if x.ndim == 2 and x.shape[0] == x.shape[1] else core.unknown("which square a matrix makes")
    return opaque((n * (n - 1) // 2,), x.dtype)
