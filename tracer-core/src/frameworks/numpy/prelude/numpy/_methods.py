"""Methods of NumPy's arrays that JAX's arrays do not have, or have otherwise: functions of the array."""
from _jitlens import core
from _jitlens.python import is_unknown

from ._arguments import ordered


def _by_function(name):
    def method(self, *args, **kwargs):
        import numpy
        return getattr(numpy, name)(self, *args, **kwargs)
    method.__name__ = name
    return method


def _fill(self, value):
    self[...] = value


def _sort(self, axis=-1, kind=None, order=None, *, stable=None):
    import numpy
    axis = ordered(axis, self.ndim, kind, order, stable)
    self[...] = numpy.sort(self, axis=axis)


def _partition(self, kth, axis=-1, kind="introselect", order=None):
    import numpy
    self[...] = numpy.partition(self, kth, axis=axis)


def _put(self, indices, values, mode="raise"):
    import numpy
    numpy.put(self, indices, values, mode)


def _item(self, *args):
    if not args:
        if self.size != 1:
            raise ValueError("can only convert an array of size 1 to a Python scalar")
        return self.reshape(()).tolist()
    for one in args:
        if one is None or isinstance(one, (bool, float, str, list)):
            raise TypeError(f"'{type(one).__name__}' object cannot be interpreted as an integer")
    place = args[0] if len(args) == 1 else args
    if core.ndim(place) and not isinstance(place, (tuple, list)):
        raise TypeError("only integer scalar arrays can be converted to a scalar index")
    if not isinstance(place, tuple) and self.ndim != 1:
        return self.reshape(-1)[place].tolist()
    return self[place].tolist()


def _argsort(self, axis=-1, kind=None, order=None, *, stable=None):
    import numpy
    return numpy.argsort(self, axis, kind, order, stable=stable)


def _dot(self, b, out=None):
    import numpy
    return numpy.dot(self, b, out=out)


def _compress(self, condition, axis=None, out=None):
    import numpy
    return numpy.compress(condition, self, axis=axis, out=out)


def _to_device(self, device, /, *, stream=None):
    if not isinstance(device, str):
        raise TypeError(f"to_device() argument 1 must be str, not {'None' if device is None else type(device).__name__}")
    if device != "cpu":
        raise ValueError(f"Unsupported device: {device}. Only 'cpu' is accepted.")
    return self


def _setflags(self, write=None, align=None, uic=None):
    pass


METHODS = {name: _by_function(name) for name in """sum prod cumsum cumprod mean std var min max all any argmin argmax
    take repeat nonzero searchsorted trace round choose argpartition conj conjugate""".split()}


def _clip(self, min=None, max=None, out=None, **kwargs):
    import numpy
    return numpy.clip(self, min, max, out, **kwargs)


METHODS["clip"] = _clip
_MOST_BYTES = 4096


def _tobytes(self, order="C"):
    dtype = self.dtype
    if dtype.kind not in "biuf" or is_unknown(self.size) or self.size * dtype.itemsize > _MOST_BYTES:
        return core.unknown("the bytes of an array")
    if self.size == 0:
        return b""
    flat = self.reshape(-1, order="F" if order in ("F", "f") else "C")
    octets = (flat.astype("uint8") if dtype.kind == "b" else flat.copy().view("uint8")).tolist()
    if is_unknown(octets) or any([is_unknown(octet) for octet in octets]):
        return core.unknown("the bytes of an array")
    return bytes(octets)


METHODS.update(to_device=_to_device, fill=_fill, sort=_sort, partition=_partition, put=_put, item=_item, argsort=_argsort, dot=_dot, compress=_compress, setflags=_setflags, tobytes=_tobytes)


def check_cast(a, dtype, casting):
    """Refuses what a rule of casting does not allow."""
    import numpy
    if not isinstance(casting, str):
        raise TypeError(f"casting must be str, not {type(casting).__name__}")
    if casting not in ("no", "equiv", "safe", "same_kind", "unsafe", "same_value"):
        raise ValueError(f"casting must be one of 'no', 'equiv', 'safe', 'same_kind', 'unsafe', 'same_value' (got '{casting}')")
    if casting != "same_value" and not numpy.can_cast(a.dtype, dtype, casting):
        raise TypeError(f"Cannot cast array data from dtype('{a.dtype}') to dtype('{dtype}') according to the rule '{casting}'")
