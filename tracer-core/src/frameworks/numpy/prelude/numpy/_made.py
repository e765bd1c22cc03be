"""Functions that NumPy writes in terms of others, with what that means for types and for what they refuse."""
from _jitlens import core

from ._arguments import axes_of, is_text, one_axis

_GIVEN = object()


def _by_jax(name, *args, **kwargs):
    import jax.numpy as jnp
    return core.numpy_call(getattr(jnp, name), name, args, kwargs)


def _bound(x):
    """An end of a range: arrays as they are, in a type that NumPy computes with."""
    if isinstance(x, (int, float, complex)):
        return x
    x = core.numpy_array(x)
    return x.astype("float64") if x.dtype.name == "bfloat16" else x


def linspace(start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0, *, device=None):
    made = _by_jax("linspace", _bound(start), _bound(stop), num, endpoint=endpoint, retstep=retstep, dtype=dtype)
    if type(axis) is int and axis == 0:
        return made
    from ._shapes import moveaxis
    return (moveaxis(made[0], 0, axis), made[1]) if retstep else moveaxis(made, 0, axis)


def logspace(start, stop, num=50, endpoint=True, base=10.0, dtype=None, axis=0):
    import numpy
    if not isinstance(base, (int, float)) and core.ndim(core.numpy_array(base)):
        given = [core.numpy_array(x) for x in (start, stop, base)]
        count = max([x.ndim for x in given])
        start, stop, base = [numpy.array(x, ndmin=count) for x in given]
        base = numpy.expand_dims(base, axis)
    made = numpy.power(base, linspace(start, stop, num, endpoint, axis=axis))
    return made if dtype is None else made.astype(dtype)


def clip(a, a_min=_GIVEN, a_max=_GIVEN, out=None, *, min=_GIVEN, max=_GIVEN, **kwargs):
    import numpy
    if a_min is _GIVEN and a_max is _GIVEN:
        a_min, a_max = None if min is _GIVEN else min, None if max is _GIVEN else max
    elif a_min is _GIVEN or a_max is _GIVEN:
        raise TypeError(f"clip() missing 1 required positional argument: '{'a_min' if a_min is _GIVEN else 'a_max'}'")
    elif min is not _GIVEN or max is not _GIVEN:
        raise ValueError("Passing `min` or `max` keyword argument when `a_min` and `a_max` are provided is forbidden.")
    a, a_min, a_max = [x if x is None or isinstance(x, (int, float, complex)) or core.is_numpy_scalar(x) else core.numpy_array(x) for x in (a, a_min, a_max)]
    if a_max is None:
        return numpy.positive(a, out=out, **kwargs) if a_min is None else numpy.maximum(a, a_min, out=out, **kwargs)
    if a_min is None:
        return numpy.minimum(a, a_max, out=out, **kwargs)
    return numpy.minimum(numpy.maximum(a, a_min), a_max, out=out, **kwargs)


def repeat(a, repeats, axis=None):
    """Counts may be of any type that counts are made of."""
    a = core.numpy_array(a)
    axis = one_axis(axis, a.ndim)
    repeats = core.numpy_array(repeats)
    if repeats.dtype.kind in "fb":
        repeats = repeats.astype("int64")
    return _by_jax("repeat", a if a.ndim else a.reshape(1), repeats if repeats.ndim else repeats.item(), axis)


def take(a, indices, axis=None, out=None, mode="raise"):
    given = indices
    if core.is_static_integer(mode) and not isinstance(mode, bool) and 0 <= mode < 3:
        mode = ("clip", "wrap", "raise")[mode]
    if mode is not None and (not isinstance(mode, str) or mode not in ("raise", "wrap", "clip")):
        raise ValueError(f"clipmode must be one of 'clip', 'raise', or 'wrap' (got {mode!r})")
    a = core.numpy_array(a)
    if core.is_unknown_scalar(indices):
        return _by_jax("take", a, indices, axis, mode="wrap")
    indices = core.numpy_array(indices)
    if indices.dtype.kind not in "iub":
        if isinstance(given, (list, tuple, float)) and indices.dtype.kind == "f":
            indices = indices.astype("int64")
        elif indices.size:
            raise TypeError(f"Cannot cast array data from dtype('{indices.dtype}') to dtype('int64') according to the rule 'same_kind'")
    axis = one_axis(axis, a.ndim)
    a = a if a.ndim else a.reshape(1)
    if mode in (None, "raise"):
        _check_places(indices, a.size if axis is None else a.shape[axis], axis)
        mode = "wrap"
    made = _by_jax("take", a, indices if indices.ndim else indices[()], axis, mode=mode)
    if out is None:
        return made
    from ._ufunc import store
    return store("take", out, made)


def _check_places(places, size, axis):
    """Refuses places outside, where they are known."""
    if not core.is_static_integer(size) or not places.size or places.size > 10_000:
        return
    for bad, at in ((places < -size).any(), places.min()), ((places >= size).any(), places.max()):
        if core.surely(bad):
            if size == 0:
                raise IndexError("cannot do a non-empty take from an empty axes.")
            raise IndexError(f"index {at} is out of bounds for axis {axis or 0} with size {size}")


def delete(arr, obj, axis=None):
    arr = core.numpy_array(arr)
    if axis is None:
        arr, axis = arr.reshape(-1), 0
    else:
        [axis] = axes_of((axis,), arr.ndim)
    n = arr.shape[axis]
    if isinstance(obj, slice):
        return _by_jax("delete", arr, obj, axis)
    given, obj = obj, core.numpy_array(obj)
    if obj.dtype.kind == "b":
        if obj.shape != (n,):
            raise ValueError(f"boolean array argument obj to delete must be one dimensional and match the axis length of {n}")
    elif obj.dtype.kind not in "iu":
        if obj.size or core.is_numpy_array(given):
            raise IndexError("arrays used as indices must be of integer (or boolean) type")
        obj = obj.astype("int64")
    elif obj.size and obj.size <= 10_000 and core.is_static_integer(n):
        for bad, at in ((obj < -n).any(), obj.min()), ((obj >= n).any(), obj.max()):
            if core.surely(bad):
                raise IndexError(f"index {at} is out of bounds for axis {axis} with size {n}")
    return _by_jax("delete", arr, given if isinstance(given, int) and not isinstance(given, bool) else obj, axis)


def diag(v, k=0):
    v = core.numpy_array(v)
    if v.ndim not in (1, 2):
        raise ValueError("Input must be 1- or 2-d.")
    return _by_jax("diag", v, core.index(k))


def diag_indices(n, ndim=2):
    import numpy
    return (numpy.arange(n),) * ndim


def tril_indices(n, k=0, m=None):
    if isinstance(k, float):
        return core.unknown("a diagonal between two others")
    if isinstance(n, float) or isinstance(m, float):
        import numpy
        return numpy.nonzero(numpy.tri(n, m, k=k, dtype=bool))
    return _by_jax("tril_indices", n, k, m)


def triu_indices(n, k=0, m=None):
    if isinstance(k, float):
        return core.unknown("a diagonal between two others")
    if isinstance(n, float) or isinstance(m, float):
        import numpy
        return numpy.nonzero(~numpy.tri(n, m, k=k - 1, dtype=bool))
    return _by_jax("triu_indices", n, k, m)


def _rounded(a, decimals):
    """Floats are moved by a power of ten and back, and integers are for digits before the point."""
    import numpy
    if not isinstance(decimals, int) or a.dtype.kind not in "fiu" or a.dtype.name == "bfloat16":
        return _by_jax("round", a, decimals)
    if a.dtype.kind != "f":
        if decimals >= 0:
            return _by_jax("round", a, decimals)
        return numpy.multiply(numpy.rint(numpy.true_divide(a, 10.0 ** -decimals)), 10.0 ** -decimals).astype(a.dtype)
    if decimals == 0:
        return numpy.rint(a)
    if decimals < 0:
        return numpy.multiply(numpy.rint(numpy.true_divide(a, 10.0 ** -decimals)), 10.0 ** -decimals)
    return numpy.true_divide(numpy.rint(numpy.multiply(a, 10.0 ** decimals)), 10.0 ** decimals)


def round(a, decimals=0, out=None):
    """Bools are rounded in half precision."""
    import numpy
    if core.numpy_array(a).dtype.kind == "b":
        if decimals:
            from numpy._core._exceptions import _UFuncOutputCastingError
            raise _UFuncOutputCastingError("Cannot cast ufunc 'multiply' output from dtype('float64') to dtype('bool') with casting rule "
                                           "'same_kind'")
        return numpy.rint(a, out=out)
    made = _rounded(a if core.is_numpy_scalar(a) else core.numpy_array(a), decimals)
    if not core.is_numpy_array(a) and not isinstance(a, (list, tuple)) and core.ndim(made) == 0:
        made = made[()]
    if out is None:
        return made
    from ._ufunc import store
    return store("round", out, made)


around = round


def _plain(x):
    """The Python number that an array without axes holds."""
    if isinstance(x, (list, tuple)):
        raise TypeError(f"unsupported operand type(s) for -: '{type(x).__name__}' and 'int'")
    if core.ndim(x) and core.size(x) > 1:
        raise ValueError("The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()")
    if isinstance(x, (int, float, complex)) or not hasattr(x, "dtype"):
        return x
    x = core.numpy_array(x)
    return x.item() if x.ndim == 0 and x.dtype.name != "uint64" else x


def arange(*args, **kwargs):
    dtype = kwargs.pop("dtype", None)
    if is_text(dtype):
        raise TypeError("arange() not supported for inputs with DType <class 'numpy.dtypes.StrDType'>.")
    kwargs.pop("like", None), kwargs.pop("device", None)
    args, kwargs = [_plain(x) for x in args[:3]] + list(args[3:]), {key: _plain(x) for key, x in kwargs.items()}
    if any([isinstance(x, complex) for x in args + list(kwargs.values())]):
        if len(args) > 1 or kwargs:
            raise TypeError("unsupported operand type(s) for bounds of numpy.arange: 'complex'")
        return core.numpy_opaque((max(0, _whole(args[0].real, args[0].imag)),), core.named_dtype("complex128") if dtype is None else core.numpy_dtype_from(dtype))
    return _by_jax("arange", *args, **kwargs) if dtype is None else _by_jax("arange", *args, dtype=dtype, **kwargs)


def _whole(real, imag):
    """How many steps of one a complex number is away."""
    import math
    return min(math.ceil(real), math.ceil(imag))


def diff(a, n=1, axis=-1, prepend=_GIVEN, append=_GIVEN):
    if n == 0:
        return a
    if n < 0:
        raise ValueError(f"order must be non-negative but got {n!r}")
    a = core.numpy_array(a)
    if a.ndim == 0:
        raise ValueError("diff requires input that is at least one dimensional")
    if prepend is None or append is None:
        raise TypeError("unsupported operand type(s) for -: 'NoneType' and 'int'")
    ends = {key: core.numpy_array(x) for key, x in (("prepend", prepend), ("append", append)) if x is not _GIVEN}
    return _by_jax("diff", a, n, axis, **ends)


def unwrap(p, discont=None, axis=-1, *, period=6.283185307179586):
    p = core.numpy_array(p)
    diff(p, axis=axis)
    return _by_jax("unwrap", p, discont, axis, period)


def _along_bits(name):
    def function(a, /, axis=None, *args, **kwargs):
        a = core.numpy_array(a)
        if name == "packbits" and a.ndim == 0:
            a = a.reshape(1)
        return _by_jax(name, a, one_axis(axis, a.ndim), *args, **kwargs)
    function.__name__ = name
    return function


packbits, unpackbits = _along_bits("packbits"), _along_bits("unpackbits")


def unique(ar, return_index=False, return_inverse=False, return_counts=False, axis=None, *, equal_nan=True, sorted=True):
    ar = core.numpy_array(ar)
    if axis is not None:
        if ar.ndim == 1:
            [axis] = axes_of((axis,), 1)
        else:
            if len(axes_of(axis, ar.ndim, "source")) != 1:
                raise ValueError("`source` and `destination` arguments must have the same number of elements")
            if isinstance(axis, (tuple, list)):
                raise TypeError(f"list indices must be integers or slices, not {type(axis).__name__}")
    return _by_jax("unique", ar, bool(return_index), bool(return_inverse), bool(return_counts), axis, equal_nan=bool(equal_nan))


def cross(a, b, axisa=-1, axisb=-1, axisc=-1, axis=None):
    a, b = core.numpy_array(a), core.numpy_array(b)
    if a.ndim < 1 or b.ndim < 1:
        raise ValueError("At least one array has zero dimension")
    return core.numpy_array(_by_jax("cross", a, b, axisa, axisb, axisc, axis))


def _subscripts(places):
    """The letters of axes that are given as numbers."""
    if isinstance(places, str) or not hasattr(places, "__len__") or core.ndim(places) == 0:
        raise TypeError("the subscripts for each operand must be a list or a tuple")
    letters = ""
    for place in places:
        if place is Ellipsis:
            letters += "..."
            continue
        if isinstance(place, (bool, float, str)) or not core.is_static_integer(place) and core.ndim(place):
            raise TypeError("each subscript must be either an integer or an ellipsis")
        place = int(core.index(place))
        if not 0 <= place < 52:
            raise ValueError("subscript is not within the valid range [0, 52)")
        letters += chr(ord("A") + place) if place < 26 else chr(ord("a") + place - 26)
    return letters


def einsum(*operands, **kwargs):
    if not operands:
        raise ValueError("must specify the einstein sum subscripts string and at least one operand")
    if isinstance(operands[0], str):
        return _by_jax("einsum", *operands, **kwargs)
    if len(operands) < 2:
        if kwargs.get("optimize", False) is not False and (isinstance(operands[0], (int, float)) or len(operands[0])):
            raise TypeError("For this input type lists must contain either int or Ellipsis")
        raise ValueError("must provide at least an operand and a subscripts list to einsum")
    paired = len(operands) // 2 * 2
    text = ",".join([_subscripts(places) for places in operands[1:paired:2]])
    if len(operands) > paired:
        text += "->" + _subscripts(operands[-1])
    return _by_jax("einsum", text, *operands[:paired:2], **kwargs)


def choose(a, choices, out=None, mode="raise"):
    """Which of the choices is taken is told by whole numbers."""
    a = core.numpy_array(a)
    choices = list(choices)
    if a.dtype.kind not in "biu":
        raise TypeError(f"Cannot cast array data from dtype('{a.dtype}') to dtype('int64') according to the rule 'safe'")
    if a.dtype.kind == "b":
        a = a.astype("int64")
    made = _by_jax("choose", a, [core.numpy_array(c) for c in choices], mode=mode)
    if out is None:
        return made
    from ._ufunc import store
    return store("choose", out, made)


def ix_(*args):
    found = []
    for i, given in enumerate(args):
        axis = core.numpy_array(given)
        if axis.ndim != 1:
            raise ValueError("Cross index must be 1 dimensional")
        if axis.dtype.kind == "b":
            axis = axis.nonzero()[0]
        elif axis.size == 0:
            axis = axis.astype(int)
        found.append(axis.reshape((1,) * i + (axis.size,) + (1,) * (len(args) - i - 1)))
    return tuple(found)
