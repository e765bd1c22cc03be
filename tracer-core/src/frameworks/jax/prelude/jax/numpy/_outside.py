"""What goes out to NumPy and other libraries."""
from _jitlens import core

from ._creation import asarray


def iterable(y):
    try:
        iter(y)
    except TypeError:
        return False
    return True


def load(file, *args, **kwargs):
    import numpy
    out = numpy.load(file, *args, **kwargs)
    return asarray(out) if core.is_numpy_array(out) else out


def from_dlpack(x, /, *, device=None, copy=None):
    return asarray(x) if core.is_array(x) or core.is_numpy_array(x) else core.from_dlpack(x)


def array_repr(arr, max_line_width=None, precision=None, suppress_small=None):
    import numpy
    arr.shape
    if not core.is_array(arr):
        return numpy.array_repr(arr, max_line_width, precision, suppress_small)
    text = str(numpy.array_repr(numpy.asarray(arr), max_line_width, precision, suppress_small))
    if max([len(line) for line in text.split("\n")]) > 70:
        return str(core.unmodelled("jax.numpy.array_repr over several lines"))
    return "ArrayImpl(" + text.removeprefix("array(").replace("\n      ", "\n          ")


def array_str(a, max_line_width=None, precision=None, suppress_small=None):
    import numpy
    a.shape
    if core.is_array(a) and core.ndim(a) == 0:
        raise TypeError("'tuple' object cannot be interpreted as an integer")
    return numpy.array_str(numpy.asarray(a), max_line_width, precision, suppress_small)
