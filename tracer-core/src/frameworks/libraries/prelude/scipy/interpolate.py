"""`scipy.interpolate`: of which shape and type interpolated values are."""

import numpy as np
from _jitlens import core
from _jitlens.python import unknown

from . import _arrays
from ._arrays import numbers, opaque, opaque_array, refuse_tracers

__getattr__ = _arrays.unmodelled("scipy.interpolate")


def _double(*arrays):
    return "complex128" if any([a.dtype.kind == "c" for a in arrays]) else "float64"


class _Curve:
    """A function of one number, whose values are arrays without the axis that was interpolated."""

    def __init__(self, x, y, axis=0):
        refuse_tracers((x, y), {})
        self._points, values = numbers(x), numbers(y)
        if self._points.dtype.name not in ("float64", "int64", "float32", "int32") or values.dtype.name == "float16" or values.ndim == 0:
            return core.unknown("an interpolation of these numbers")
        self.x = self._points
        self._dtype = _double(values)
        axis = axis % values.ndim
        if values.shape[axis] != self._points.shape[0]:
            return core.unknown("an interpolation of arrays that do not fit")
        self.axis = axis
        self._before, self._after = values.shape[:axis], values.shape[axis + 1:]

    def __call__(self, x, nu=0, extrapolate=None):
        refuse_tracers((x, nu), {})
        at = numbers(x)
        return opaque_array(self._before + at.shape + self._after, self._dtype)

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return unknown("", "what an interpolation knows")


class interp1d(_Curve):
    def __init__(self, x, y, kind="linear", axis=-1, copy=True, bounds_error=None, fill_value=None, assume_sorted=False):
        super().__init__(x, y, axis)
        self.y = numbers(y)

    def __call__(self, x):
        return super().__call__(x)


class _Piecewise(_Curve):
    """Polynomials between points."""
    _order = 4

    def __init__(self, x, y, axis=0, *options, **more):
        super().__init__(x, y, axis)
        rest = self._before + self._after
        self.c = opaque((self._order, self._points.shape[0] - 1) + rest, self._dtype)
        self.x = self._points.astype("float64")

    def _of_order(self, order):
        made = object.__new__(PPoly)
        made._points, made._dtype, made.axis, made._before, made._after = self._points, self._dtype, self.axis, self._before, self._after
        made.x, made._order = self.x, order
        made.c = opaque((order, self._points.shape[0] - 1) + self._before + self._after, self._dtype)
        return made

    def derivative(self, nu=1):
        return self._of_order(max(self._order - nu, 1)) if core.is_static_integer(nu) and nu >= 0 else core.unknown("a derivative")

    def antiderivative(self, nu=1):
        return self._of_order(self._order + nu) if core.is_static_integer(nu) and nu >= 0 else core.unknown("an integral")

    def integrate(self, a, b, extrapolate=None):
        return opaque_array(self._before + self._after, self._dtype)


class PPoly(_Piecewise):
    def __init__(self, c, x, extrapolate=None, axis=0):
        return core.unknown("`scipy.interpolate.PPoly` is not modelled")


class CubicSpline(_Piecewise):
    pass


class PchipInterpolator(_Piecewise):
    pass


class Akima1DInterpolator(_Piecewise):
    pass


class BSpline:
    def __init__(self, t, c, k, extrapolate=True, axis=0):
        refuse_tracers((t, c), {})
        self.t, self.c, self.k = numbers(t).astype("float64"), numbers(c), k
        self.c = self.c.astype(_double(self.c))
        self.extrapolate, self.axis = extrapolate, axis
        if axis != 0 or self.c.ndim == 0:
            return core.unknown("splines along another axis")

    def __call__(self, x, nu=0, extrapolate=None):
        refuse_tracers((x,), {})
        return opaque_array(numbers(x).shape + self.c.shape[1:], self.c.dtype)

    @property
    def tck(self):
        return self.t, self.c, self.k

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return unknown("", "what a spline knows")


def make_interp_spline(x, y, k=3, t=None, bc_type=None, axis=0, check_finite=True):
    refuse_tracers((x, y, t), {})
    x, y = numbers(x), numbers(y)
    if t is not None or bc_type is not None or axis != 0 or not core.is_static_integer(k) or k % 2 == 0:
        return core.unknown("options of `make_interp_spline`")
    return BSpline(opaque((x.shape[0] + k + 1,), "float64"), opaque(y.shape, _double(y)), k)


def make_smoothing_spline(x, y, w=None, lam=None, *, axis=0):
    refuse_tracers((x, y, w), {})
    x, y = numbers(x), numbers(y)
    if axis != 0 or y.ndim != 1:
        return core.unknown("options of `make_smoothing_spline`")
    return BSpline(opaque((x.shape[0] + 6,), "float64"), opaque((x.shape[0] + 2,), "float64"), 3)


def splrep(x, y, w=None, xb=None, xe=None, k=3, task=0, s=None, t=None, full_output=0, per=0, quiet=1):
    refuse_tracers((x, y, w, t), {})
    x = numbers(x)
    if w is not None or t is not None or task or full_output or per or not core.is_static_integer(k):
        return core.unknown("options of `splrep`")
    # Knots are left out where a curve is smoothed.
    if s is not None and not (core.is_static_integer(s) and s == 0 or s == 0.0):
        count = core.unknown_dim("knots")
    else:
        count = x.shape[0] + k + 1
    return opaque((count,), "float64"), opaque((count,), "float64"), k


def splev(x, tck, der=0, ext=0):
    refuse_tracers((x, tck), {})
    at = numbers(x)
    if isinstance(tck, BSpline):
        return tck(x)
    return opaque_array(at.shape, "float64") if core.is_numpy_array(tck[1]) and tck[1].ndim == 1 else core.unknown("several splines")


class _Univariate:
    def __init__(self, x, y, *options, **more):
        refuse_tracers((x, y), {})
        numbers(x), numbers(y)

    def __call__(self, x, nu=0, ext=None):
        refuse_tracers((x,), {})
        at = numbers(x)
        return opaque_array(at.shape, "float64") if at.size else core.unknown("a spline nowhere")

    def derivative(self, n=1):
        return self

    def antiderivative(self, n=1):
        return self

    def integral(self, a, b):
        return unknown("float", "an integral")

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return unknown("", "what a spline knows")


class UnivariateSpline(_Univariate):
    pass


class InterpolatedUnivariateSpline(_Univariate):
    pass


class LSQUnivariateSpline(_Univariate):
    pass


def _positions(xi, axes):
    """The shape of points of so many axes, as one array or as one for each axis."""
    refuse_tracers((xi,), {})
    if isinstance(xi, tuple):
        arrays = [numbers(x) for x in xi]
        if len(arrays) != axes:
            return core.unknown("points of other axes")
        return np.broadcast_shapes(*[a.shape for a in arrays])
    at = numbers(xi)
    if at.ndim == 0 or at.shape[-1] != axes:
        return core.unknown("points of other axes")
    return at.shape[:-1] or (1,)


class RegularGridInterpolator:
    def __init__(self, points, values, method="linear", bounds_error=True, fill_value=np.nan, **options):
        refuse_tracers((points, values), {})
        self._axes, self._values = len(points), numbers(values)
        self.grid, self.values, self.method = tuple([numbers(p) for p in points]), unknown("", "the values of a grid"), method
        self.bounds_error, self.fill_value = bounds_error, fill_value

    def __call__(self, xi, method=None, *, nu=None):
        shape = _positions(xi, self._axes)
        if self._values.dtype.name not in ("float64", "float32", "int64", "int32", "complex128"):
            return core.unknown("an interpolation of these numbers")
        return opaque(shape + self._values.shape[self._axes:], _double(self._values))


def interpn(points, values, xi, method="linear", bounds_error=True, fill_value=np.nan):
    if method not in ("linear", "nearest"):
        return core.unknown("`interpn` by splines")
    return RegularGridInterpolator(points, values, method, bounds_error)(xi)


class _Scattered:
    """Values at points of some axes."""

    def __init__(self, points, values, *options, **more):
        refuse_tracers((points, values), {})
        points, self._values = numbers(points), numbers(values)
        if points.ndim != 2 or self._values.ndim == 0 or self._values.dtype.name not in ("float64", "complex128"):
            return core.unknown("an interpolation of these numbers")
        self._axes = points.shape[1]

    def __call__(self, *args):
        xi = args[0] if len(args) == 1 else tuple(args)
        shape = _positions(xi, self._axes)
        if not isinstance(xi, tuple) and np.ndim(xi) == 1:
            return core.unknown("an interpolation at one point")
        return opaque_array(shape + self._values.shape[1:], self._values.dtype)


class LinearNDInterpolator(_Scattered):
    pass


class CloughTocher2DInterpolator(_Scattered):
    pass


class NearestNDInterpolator(_Scattered):
    pass


class RBFInterpolator(_Scattered):
    def __call__(self, x):
        if np.ndim(x) != 2:
            return core.unknown("an interpolation at one point")
        return super().__call__(numbers(x))


def griddata(points, values, xi, method="linear", fill_value=np.nan, rescale=False):
    refuse_tracers((points, values, xi), {})
    points = np.column_stack([numbers(p) for p in points]) if isinstance(points, tuple) else numbers(points)
    values = numbers(values)
    if points.ndim != 2 or points.shape[1] < 2 or values.dtype.name not in ("float64", "complex128"):
        return core.unknown("an interpolation of these numbers")
    return _Scattered(points, values)(xi)


class RectBivariateSpline:
    def __init__(self, x, y, z, bbox=None, kx=3, ky=3, s=0, maxit=20):
        refuse_tracers((x, y, z), {})

    def __call__(self, x, y, dx=0, dy=0, grid=True):
        refuse_tracers((x, y), {})
        x, y = numbers(x), numbers(y)
        if not grid:
            return self.ev(x, y)
        return opaque(x.shape + y.shape, "float64") if x.ndim == y.ndim == 1 else core.unknown("a spline at single points")

    def ev(self, xi, yi, dx=0, dy=0):
        xi, yi = numbers(xi), numbers(yi)
        shape = np.broadcast_shapes(xi.shape, yi.shape)
        return opaque(shape, "float64") if shape else core.unknown("a spline at one point")

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return unknown("", "what a spline knows")
