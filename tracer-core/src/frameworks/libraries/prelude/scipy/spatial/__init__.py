"""`scipy.spatial`: neighbours, hulls and rotations; of which shape and type what they tell is."""

from _jitlens import core
from _jitlens.python import unknown

from .._arrays import numbers, opaque, refuse_tracers

_WHY = "what is known of points"


def distance_matrix(x, y, p=2, threshold=1000000):
    refuse_tracers((x, y), {})
    x, y = numbers(x), numbers(y)
    if x.ndim != 2 or y.ndim != 2 or x.dtype.kind == "c" or y.dtype.kind == "c":
        return core.unknown("distances of these numbers")
    return opaque((x.shape[0], y.shape[0]), "float64")


class cKDTree:
    def __init__(self, data, leafsize=10, **options):
        refuse_tracers((data,), {})
        data = numbers(data)
        if data.dtype.kind == "c" or data.ndim != 2:
            return core.unknown("neighbours of these points")
        self.data = data.astype("float64")
        self.n, self.m = data.shape
        self.leafsize = leafsize

    def query(self, x, k=1, eps=0.0, p=2.0, distance_upper_bound=float("inf"), workers=1):
        x = numbers(x)
        if x.ndim == 0 or x.shape[-1] != self.m:
            return core.unknown("neighbours of other points")
        shape = x.shape[:-1] + ((() if k == 1 else (k,)) if core.is_static_integer(k) else (len(k),))
        if not shape:
            return unknown("float", _WHY), unknown("", _WHY)
        return opaque(shape, "float64"), opaque(shape, "int64")

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return unknown("", _WHY)


class KDTree(cKDTree):
    pass


class _Faces:
    def __init__(self, points, *options, **more):
        refuse_tracers((points,), {})

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return unknown("", _WHY)


class Delaunay(_Faces):
    pass


class ConvexHull(_Faces):
    pass


class Voronoi(_Faces):
    pass


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    if name in ("distance", "transform"):
        from importlib import import_module
        return import_module("scipy.spatial." + name)
    return unknown("", f"`scipy.spatial.{name}` is not modelled")
