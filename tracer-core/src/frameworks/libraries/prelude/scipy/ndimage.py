"""`scipy.ndimage`: filters give what they are given; only shapes and types are known."""

import numpy as np
from _jitlens import core
from _jitlens.python import called_again, unknown

from . import _arrays
from ._arrays import numbers, opaque, opaque_array, refuse_tracers

_others = _arrays.functions("scipy.ndimage", "find_objects histogram iterate_structure labeled_comprehension test")


def _result(shape, dtype, output):
    """What a filter gives of `dtype`, if nothing else is asked for."""
    if output is None:
        return opaque_array(shape, dtype)
    if core.is_numpy_array(output):
        core.numpy_forget(output)
        return output
    return opaque_array(shape, core.named_dtype(np.dtype(output).name))


def _filter(name, position=None, complex=True, dtype=None, function_at=None):
    """A function of an array that gives one of the same shape, with `output` at `position` of its arguments."""
    def function(input, *args, **kwargs):
        refuse_tracers((input, *args), kwargs)
        x = numbers(input)
        if x.dtype.name == "float16" or x.dtype.kind == "c" and not complex:
            return core.unknown(f"`scipy.ndimage.{name}` of these numbers")
        if kwargs.get("axes") is not None:
            return core.unknown("`axes` of filters")
        output = kwargs.get("output")
        if position is not None and len(args) > position:
            output = args[position]
        if function_at is not None:
            called = args[0] if args else kwargs.get("function")
            if callable(called):
                called_again([called])
        return _result(x.shape, x.dtype if dtype is None else dtype, output)
    function.__name__ = name
    return function


for _name, _position in (("gaussian_filter", 2), ("gaussian_filter1d", 3), ("uniform_filter", 1), ("uniform_filter1d", 2), ("sobel", 1),
                         ("prewitt", 1), ("laplace", 0), ("gaussian_laplace", 1), ("gaussian_gradient_magnitude", 1), ("convolve", 1),
                         ("correlate", 1), ("convolve1d", 2), ("correlate1d", 2)):
    globals()[_name] = _filter(_name, _position)
for _name, _position in (("median_filter", 2), ("maximum_filter", 2), ("minimum_filter", 2), ("maximum_filter1d", 2), ("minimum_filter1d", 2),
                         ("percentile_filter", 3), ("rank_filter", 3), ("grey_dilation", 3), ("grey_erosion", 3), ("grey_closing", 3),
                         ("grey_opening", 3)):
    globals()[_name] = _filter(_name, _position, complex=False)
generic_filter = _filter("generic_filter", 3, complex=False, function_at=0)
generic_filter1d = _filter("generic_filter1d", 3, complex=False, function_at=0)
for _name in "binary_dilation binary_erosion binary_closing binary_opening binary_fill_holes binary_propagation".split():
    globals()[_name] = _filter(_name, None, complex=False, dtype="bool")


def shift(input, shift, output=None, order=3, mode="constant", cval=0.0, prefilter=True):
    refuse_tracers((input, shift), {})
    x = numbers(input)
    return _result(x.shape, x.dtype, output)


def spline_filter(input, order=3, output=None, mode="mirror"):
    x = numbers(input)
    if output is not None or x.dtype.name in ("float16", "complex64"):
        return core.unknown("`output` of `spline_filter`")
    return opaque_array(x.shape, "complex128" if x.dtype.kind == "c" else "float64")


def zoom(input, zoom, output=None, order=3, mode="constant", cval=0.0, prefilter=True, *, grid_mode=False):
    refuse_tracers((input, zoom), {})
    x = numbers(input)
    factors = [zoom] * x.ndim if np.ndim(zoom) == 0 else list(zoom)
    if len(factors) != x.ndim:
        return core.unknown("factors of `zoom`")
    return _result([int(round(size * float(factor))) for size, factor in zip(x.shape, factors)], x.dtype, output)


def rotate(input, angle, axes=(1, 0), reshape=True, output=None, order=3, mode="constant", cval=0.0, prefilter=True):
    refuse_tracers((input, angle), {})
    x = numbers(input)
    shape = list(x.shape)
    if reshape:
        import math
        first, second = sorted([axis % x.ndim for axis in axes])
        angle = math.radians(float(angle))
        c, s = math.cos(angle), math.sin(angle)
        if float(angle) % (math.pi / 2) < 1e-9 or (math.pi / 2) - float(angle) % (math.pi / 2) < 1e-9:
            return core.unknown("the size of an image that is turned by a quarter")
        rows, columns = shape[first], shape[second]
        shape[first] = int(abs(c) * rows + abs(s) * columns + 0.5)
        shape[second] = int(abs(s) * rows + abs(c) * columns + 0.5)
    return _result(shape, x.dtype, output)


def map_coordinates(input, coordinates, output=None, order=3, mode="constant", cval=0.0, prefilter=True):
    refuse_tracers((input, coordinates), {})
    x, at = numbers(input), numbers(coordinates)
    if at.ndim < 1 or at.shape[0] != x.ndim:
        return core.unknown("coordinates of another array")
    return _result(at.shape[1:], x.dtype, output)


def affine_transform(input, matrix, offset=0.0, output_shape=None, output=None, order=3, mode="constant", cval=0.0, prefilter=True):
    refuse_tracers((input, matrix, offset), {})
    x = numbers(input)
    return _result(x.shape if output_shape is None else output_shape, x.dtype, output)


def geometric_transform(input, mapping, *args, **kwargs):
    called_again([mapping])
    return core.unknown("`scipy.ndimage.geometric_transform` is not modelled")


def label(input, structure=None, output=None):
    x = numbers(input)
    if output is not None or x.dtype.kind == "c" or x.ndim == 0:
        return core.unknown("labels of another type")
    return opaque(x.shape, "int32"), unknown("int", "how many things an array shows")


def distance_transform_edt(input, sampling=None, return_distances=True, return_indices=False, distances=None, indices=None):
    return _distances(input, "float64", return_distances, return_indices, distances, indices)


def distance_transform_cdt(input, metric="chessboard", return_distances=True, return_indices=False, distances=None, indices=None):
    return _distances(input, "int32", return_distances, return_indices, distances, indices)


def distance_transform_bf(input, *args, **kwargs):
    return core.unknown("`scipy.ndimage.distance_transform_bf` is not modelled")


def _distances(input, dtype, return_distances, return_indices, distances, indices):
    x = numbers(input)
    if distances is not None or indices is not None or x.ndim == 0:
        return core.unknown("distances into an array")
    made = [opaque(x.shape, dtype)] if return_distances else []
    made += [opaque((x.ndim, *x.shape), "int32")] if return_indices else []
    return made[0] if len(made) == 1 else tuple(made)


def generate_binary_structure(rank, connectivity):
    return opaque_array((3,) * max(rank, 0), "bool")


def _measure(name, dtype):
    def function(input, labels=None, index=None):
        x = numbers(input)
        if labels is not None or index is not None:
            index = () if index is None else np.shape(index)
            return opaque(index, "float64") if dtype == "float64" and x.dtype.kind != "c" else core.unknown(f"`scipy.ndimage.{name}` of labels")
        return opaque((), ("complex128" if x.dtype.kind == "c" else "float64") if dtype else x.dtype) if x.dtype.name != "complex64" \
            else core.unknown("of small complex numbers")
    function.__name__ = name
    return function


mean, variance, standard_deviation = [_measure(name, "float64") for name in ("mean", "variance", "standard_deviation")]
maximum, minimum = [_measure(name, None) for name in ("maximum", "minimum")]


def center_of_mass(input, labels=None, index=None):
    x = numbers(input)
    if labels is not None or index is not None or x.dtype.kind == "c":
        return core.unknown("centres of parts")
    return tuple([opaque((), "float64") for _ in range(x.ndim)])


def sum(input, labels=None, index=None):
    return core.unknown("`scipy.ndimage.sum` is not modelled") if labels is not None or index is not None else numbers(input).sum()


def __getattr__(name):
    return _others(name)
