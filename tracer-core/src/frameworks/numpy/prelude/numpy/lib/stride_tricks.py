"""`numpy.lib.stride_tricks`."""
from _jitlens import core


def sliding_window_view(x, window_shape, axis=None, *, subok=False, writeable=False):
    import numpy
    x = core.numpy_array(x)
    window = (window_shape,) if core.is_static_integer(window_shape) else tuple(window_shape)
    if axis is None:
        if len(window) != x.ndim:
            raise ValueError("Since axis is None, must provide window_shape for all dimensions of `x`; got "
                             f"{len(window)} window_shape elements and `x.ndim` is {x.ndim}.")
        axes = range(x.ndim)
    else:
        axes = [axis] if core.is_static_integer(axis) else list(axis)
        axes = [a + x.ndim if a < 0 else a for a in axes]
    out = x
    for n, a in zip(window, axes):
        if n > out.shape[a]:
            raise ValueError("window shape cannot be larger than input array shape")
        places = numpy.arange(out.shape[a] - n + 1)[:, None] + numpy.arange(n)
        out = numpy.moveaxis(numpy.take(out, places, axis=a), a + 1, -1)
    return core.numpy_maybe_view(out, x)


def as_strided(x, shape=None, strides=None, subok=False, writeable=True):
    import numpy
    x = core.numpy_array(x)
    shape = x.shape if shape is None else tuple([core.index(n) for n in shape])
    strides = x.strides if strides is None else tuple([core.index(s) for s in strides])
    item = x.itemsize
    if len(shape) != len(strides):
        raise ValueError("mismatch in length of strides and shape")
    if x.strides != _in_order(x.shape, item) or any([s % item for s in strides]) or x.size == 0:
        return core.unmodelled("numpy.lib.stride_tricks.as_strided of such an array")
    ends = [(n - 1) * s // item for n, s in zip(shape, strides)]
    if 0 not in shape and (sum([e for e in ends if e < 0]) < 0 or sum([e for e in ends if e > 0]) >= x.size):
        return core.unmodelled("memory beyond an array")
    places = numpy.zeros((), int)
    for n, s in zip(shape, strides):
        places = places[..., None] + numpy.arange(n) * (s // item)
    return core.numpy_maybe_view(numpy.asarray(numpy.take(x.reshape(-1), places)), x)


def _in_order(shape, item):
    """The strides of an array whose elements lie one after the other."""
    strides = []
    for n in reversed(shape):
        strides.insert(0, item)
        item *= n
    return tuple(strides)


def broadcast_to(array, shape, subok=False):
    import numpy
    return numpy.broadcast_to(array, shape)


def broadcast_arrays(*args, subok=False):
    import numpy
    return numpy.broadcast_arrays(*args)


def __getattr__(name):
    from .. import _names
    return _names.missing("numpy.lib.stride_tricks", name)
