"""What jax arrays have: operators, methods and attributes, as functions of the array.

`METHODS[name](array, *args)`, `PROPERTIES[name](array)` and `OPERATORS["__add__"](array, other)` are what `array.name` and
the operators mean; tracers share them. An operator's function is not tried for operands that arrays do not combine with: those
give NotImplemented (see `binary`).
"""
from _jitlens import core, prims as p

from . import _indexing
from .numpy import _creation, _elementwise, _low, _manipulate, _reductions, _ufuncs

# operator: the row of `numpy._ufuncs`, or the function of `numpy._elementwise`. The reflected form swaps the operands.
BINARY = {
    "add": "add", "sub": "subtract", "mul": "multiply", "truediv": "true_divide", "and": "bitwise_and", "or": "bitwise_or",
    "xor": "bitwise_xor", "lshift": "left_shift", "eq": "equal", "ne": "not_equal", "lt": "less", "le": "less_equal",
    "gt": "greater", "ge": "greater_equal", "floordiv": "floor_divide", "divmod": "divmod", "mod": "remainder",
    "pow": "power", "rshift": "right_shift", "matmul": "matmul",
}
_SYMBOLS = {"eq": "==", "ne": "==", "add": "+", "mul": "*"}
_REFUSED = {"eq": (dict, list, set, tuple), "ne": (dict, list, set, tuple), "add": (tuple, list), "mul": (tuple, list)}


def binary(operator, reflected, x, other):
    """`x <operator> other`, or `other <operator> x` when reflected."""
    other = core.arraylike_value(other)
    if not core.is_operand(other):
        if type(other) in _REFUSED.get(operator, ()):
            names = [core.class_name(x), type(other).__name__]
            if reflected:
                names.reverse()
            raise TypeError(f"unsupported operand type(s) for {_SYMBOLS[operator]}: {names[0]!r} and {names[1]!r}")
        return NotImplemented
    left, right = (other, x) if reflected else (x, other)
    name = BINARY[operator]
    if name in _ufuncs.TABLE:
        return _ufuncs.apply(name, left, right)
    if name == "matmul":
        from .numpy._linear import matmul
        return matmul(left, right)
    return getattr(_elementwise, name)(left, right)


def _operator(operator, reflected=False):
    def function(self, other):
        return binary(operator, reflected, self, other)
    function.__name__ = f"__{'r' if reflected else ''}{operator}__"
    return function


def contains(self, other):
    if other is None or isinstance(other, str):
        raise TypeError(f"Array.__contains__: unsupported operand type {type(other)}.")
    query = core.arraylike("Array.__contains__", other)
    if self.ndim != 1:
        raise ValueError(f"Array.__contains__: search array must be one-dimensional, got arr.shape={self.shape}.")
    if query.ndim != 0:
        raise ValueError(f"Array.__contains__: query value must be a scalar, got query.shape={query.shape}")
    return _reductions.any(_ufuncs.apply("equal", self, query))


def setitem(self, i, x):
    raise TypeError("JAX arrays are immutable and do not support in-place item assignment. Instead of x[idx] = y, use "
                    "x = x.at[idx].set(y) or another .at[] method: "
                    "https://docs.jax.dev/en/latest/_autosummary/jax.numpy.ndarray.at.html")


def round_operator(number, ndigits=None):
    from .numpy._rounding import round
    out = round(number, decimals=ndigits or 0)
    return _creation.astype(out, int) if ndigits is None else out


OPERATORS = {f"__{name}__": _operator(name) for name in BINARY}
OPERATORS.update({f"__r{name}__": _operator(name, True) for name in BINARY if name not in ("eq", "ne", "lt", "le", "gt", "ge")})
OPERATORS.update({
    "__neg__": lambda self: _ufuncs.apply("negative", self),
    "__pos__": lambda self: _elementwise.positive(self),
    "__abs__": lambda self: _ufuncs.apply("absolute", self),
    "__invert__": lambda self: _ufuncs.apply("invert", self),
    "__getitem__": _indexing.index,
    "__setitem__": setitem,
    "__contains__": contains,
    "__round__": round_operator,
    "__copy__": lambda self: _copy(self),
    "__deepcopy__": lambda self, memo: _copy(self),
})

PROPERTIES = {
    "T": lambda self: _manipulate.transpose(self),
    "mT": lambda self: _manipulate.matrix_transpose(self),
    "real": lambda self: _elementwise.real(self),
    "imag": lambda self: _elementwise.imag(self),
    "itemsize": lambda self: self.dtype.itemsize,
    "nbytes": lambda self: self.size * self.dtype.itemsize,
    "at": _indexing.At,
    "flat": lambda self: _flat(self),
    "_trace": lambda self: _trace_of(self),
}


def _trace_of(self):
    from ._traces import of
    return of(self)


def _flat(self):
    raise NotImplementedError("JAX Arrays do not implement the arr.flat property: consider arr.flatten() instead.")


def _all(self, axis=None, out=None, keepdims=False, *, where=None):
    return _reductions.all(self, axis=axis, out=out, keepdims=keepdims, where=where)


def _any(self, axis=None, out=None, keepdims=False, *, where=None):
    return _reductions.any(self, axis=axis, out=out, keepdims=keepdims, where=where)


def _sum(self, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=None, promote_integers=True):
    return _reductions.sum(self, axis=axis, dtype=dtype, out=out, keepdims=keepdims, where=where, promote_integers=promote_integers)


def _prod(self, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=None, promote_integers=True):
    return _reductions.prod(self, axis=axis, dtype=dtype, out=out, keepdims=keepdims, initial=initial, where=where,
                            promote_integers=promote_integers)


def _max(self, axis=None, out=None, keepdims=False, initial=None, where=None):
    return _reductions.max(self, axis=axis, out=out, keepdims=keepdims, initial=initial, where=where)


def _min(self, axis=None, out=None, keepdims=False, initial=None, where=None):
    return _reductions.min(self, axis=axis, out=out, keepdims=keepdims, initial=initial, where=where)


def _mean(self, axis=None, dtype=None, out=None, keepdims=False, *, where=None):
    return _reductions.mean(self, axis=axis, dtype=dtype, out=out, keepdims=keepdims, where=where)


def _var(self, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=None, correction=None):
    return _reductions.var(self, axis=axis, dtype=dtype, out=out, ddof=ddof, keepdims=keepdims, where=where, correction=correction)


def _std(self, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=None, correction=None):
    return _reductions.std(self, axis=axis, dtype=dtype, out=out, ddof=ddof, keepdims=keepdims, where=where, correction=correction)


def _ptp(self, axis=None, out=None, keepdims=False):
    return _reductions.ptp(self, axis=axis, out=out, keepdims=keepdims)


def _cumsum(self, axis=None, dtype=None, out=None):
    from .numpy._nan_reductions import cumsum
    return cumsum(self, axis=axis, dtype=dtype, out=out)


def _cumprod(self, axis=None, dtype=None, out=None):
    from .numpy._nan_reductions import cumprod
    return cumprod(self, axis=axis, dtype=dtype, out=out)


def _argmax(self, axis=None, out=None, keepdims=None):
    from .numpy._sorting import argmax
    return argmax(self, axis=axis, out=out, keepdims=keepdims)


def _argmin(self, axis=None, out=None, keepdims=None):
    from .numpy._sorting import argmin
    return argmin(self, axis=axis, out=out, keepdims=keepdims)


def _argsort(self, axis=-1, *, kind=None, order=None, stable=True, descending=False):
    from .numpy._sorting import argsort
    return argsort(self, axis=axis, kind=kind, order=order, stable=stable, descending=descending)


def _argpartition(self, kth, axis=-1):
    from .numpy._sorting import argpartition
    return argpartition(self, kth=kth, axis=axis)


def _sort(self, axis=-1, *, kind=None, order=None, stable=True, descending=False):
    from .numpy._sorting import sort
    return sort(self, axis=axis, kind=kind, order=order, stable=stable, descending=descending)


def _searchsorted(self, v, side="left", sorter=None, *, method="scan"):
    from .numpy._sorting import searchsorted
    return searchsorted(self, v, side=side, sorter=sorter, method=method)


def _astype(self, dtype, copy=False, device=None):
    return _creation.astype(self, dtype, copy=copy, device=device)


def _copy(self):
    return _creation.copy(self)


def _reshape(self, *args, order="C", out_sharding=None):
    return _manipulate.reshape_array(self, args[0] if len(args) == 1 else args, order)


def _flatten(self, order="C", *, out_sharding=None):
    return _manipulate.ravel(self, order=order)


def _transpose(self, *args):
    if not args:
        axes = None
    elif len(args) == 1:
        axes = args[0] if args[0] is None else _manipulate.index_tuple(args[0])
    else:
        axes = _manipulate.index_tuple(args)
    return _manipulate.transpose(self, axes)


def _swapaxes(self, axis1, axis2):
    return _manipulate.swapaxes(self, axis1=axis1, axis2=axis2)


def _squeeze(self, axis=None):
    return _manipulate.squeeze(self, axis=axis)


def _repeat(self, repeats, axis=None, *, total_repeat_length=None, out_sharding=None):
    return _manipulate.repeat(self, repeats=repeats, axis=axis, total_repeat_length=total_repeat_length)


def _diagonal(self, offset=0, axis1=0, axis2=1):
    return _creation.diagonal(self, offset=offset, axis1=axis1, axis2=axis2)


def _trace(self, offset=0, axis1=0, axis2=1, dtype=None, out=None):
    return _creation.trace(self, offset=offset, axis1=axis1, axis2=axis2, dtype=dtype, out=out)


def _conj(self):
    return _elementwise.conj(self)


def _conjugate(self):
    return _elementwise.conjugate(self)


def _clip(self, min=None, max=None):
    from .numpy._rounding import clip
    return clip(self, min=min, max=max)


def _round(self, decimals=0, out=None):
    from .numpy._rounding import round
    return round(self, decimals=decimals, out=out)


def _take(self, indices, axis=None, out=None, mode=None, unique_indices=False, indices_are_sorted=False, fill_value=None):
    from .numpy._index import take
    return take(self, indices, axis=axis, out=out, mode=mode, unique_indices=unique_indices, indices_are_sorted=indices_are_sorted,
                fill_value=fill_value)


def _choose(self, choices, out=None, mode="raise"):
    from .numpy._index import choose
    return choose(self, choices=choices, out=out, mode=mode)


def _compress(self, condition, axis=None, *, out=None, size=None, fill_value=0):
    from .numpy._index import compress
    return compress(condition, self, axis=axis, out=out, size=size, fill_value=fill_value)


def _nonzero(self, *, fill_value=None, size=None):
    from .numpy._index import nonzero
    return nonzero(self, size=size, fill_value=fill_value)


def _dot(self, b, *, precision=None, preferred_element_type=None):
    from .numpy._linear import dot
    return dot(self, b, precision=precision, preferred_element_type=preferred_element_type)


def _item(self, *args):
    value = core.concrete_numpy(self, "This occurred in the item() method of jax.Array")
    args = [core.index(arg) if core.is_tracer(arg) else arg for arg in args]
    if len(args) == 1 and isinstance(args[0], tuple):
        [args] = args
    if not args and value.size != 1:
        raise ValueError("can only convert an array of size 1 to a Python scalar")
    places = []
    for arg in args:
        if isinstance(arg, bool):
            raise TypeError("an integer is required")
        places.append(core.index(arg))
    if len(places) > 1 and len(places) != value.ndim:
        raise ValueError("incorrect number of indices for array")
    return value.item(*places)


def _tolist(self):
    if core.is_tracer(self):
        raise core.ConcretizationTypeError(self, "This occurred in the tolist() method of jax.Array")
    return core.concrete_numpy(self, "This occurred in the tolist() method of jax.Array").tolist()


def _array_namespace(self, *, api_version=None, device=None):
    from . import numpy as jnp
    return jnp


def _to_device(self, device, *, stream=None):
    if stream is not None:
        raise NotImplementedError("stream argument of array.to_device()")
    import jax
    return jax.device_put(self, device)


def _byteswap(self, inplace=False):
    if inplace:
        core.unknown("bytes that change places where they lie")
    if self.dtype.kind == "c":
        return p.complex(_byteswap(p.real(self)), _byteswap(p.imag(self)))
    if self.dtype.itemsize == 1:
        return _copy(self)
    octets = p.bitcast_convert_type(self, new_dtype=core.canonical_dtype("uint8"))
    return p.bitcast_convert_type(p.rev(octets, dimensions=(self.ndim,)), new_dtype=self.dtype)


def _view(self, dtype=None, type=None):
    if type is not None:
        raise NotImplementedError("`type` argument of array.view() is not supported.")
    if dtype is None:
        return self
    dtype = core.user_dtype(dtype, "view")
    have, wanted = _bits(self.dtype), _bits(dtype)
    if self.ndim == 0:
        if have != wanted:
            raise ValueError("view() of a 0d array is only supported if the itemsize is unchanged.")
        return _squeeze(_view(_low.expand_dims(self, (0,)), dtype))
    if self.shape[-1] * have % wanted != 0:
        raise ValueError("When changing to a larger dtype, its size must be a divisor of the total size in bytes of the last axis"
                         " of the array.")
    if self.dtype == dtype:
        return self
    if self.dtype == bool:
        return _view(_astype(self, "uint8"), dtype)
    if self.dtype.kind == "c":
        parts = _creation.zeros(self.shape[:-1] + (2 * self.shape[-1],), core.finfo(self.dtype).dtype)
        parts = _indexing.at_update(parts, (Ellipsis, slice(0, None, 2)), p.real(self), "scatter")
        return _view(_indexing.at_update(parts, (Ellipsis, slice(1, None, 2)), p.imag(self), "scatter"), dtype)
    if dtype == bool:
        return _astype(_view(self, "uint8"), bool)
    if dtype.kind == "c":
        parts = _astype(_view(self, core.finfo(dtype).dtype), dtype)
        even, odd = (_indexing.index(parts, (Ellipsis, slice(i, None, 2))) for i in (0, 1))
        return even + 1j * odd
    if have < wanted:
        factor = wanted // have
        grouped = _reshape(self, *self.shape[:-1], self.shape[-1] // factor, factor)
        return p.bitcast_convert_type(grouped, new_dtype=dtype)
    out = p.bitcast_convert_type(self, new_dtype=dtype)
    return _reshape(out, *out.shape[:-2], out.shape[-2] * out.shape[-1]) if have > wanted else out


def _bits(dtype):
    if dtype == bool:
        return 8
    if dtype.kind == "c":
        return 2 * core.finfo(dtype).bits
    return core.iinfo(dtype).bits if _low.is_kind(dtype, "integer") else core.finfo(dtype).bits


def _block_until_ready(self):
    core.note_waited()
    if core.is_tracer(self):
        _unavailable("block_until_ready", self)
    if core.is_deleted(self):
        raise core.JaxRuntimeError("INVALID_ARGUMENT: BlockHostUntilReady() called on deleted or donated buffer")
    return self


def _unavailable(name, self):
    raise AttributeError(f"The '{name}' method is not available on {core.traced_description(self)}.")


def _eager(self):
    """What only arrays with a buffer have."""
    if core.is_tracer(self):
        raise core.ConcretizationTypeError(self)
    return self


def _devices(self):
    return _known(_where(self)).device_set


def _sharding(self):
    if core.is_tracer(self):
        raise AttributeError(f"The 'sharding' attribute is not available on {core.traced_description(self)}. To query sharding "
                             "information on tracers, use `jax.typeof(x)`.")
    return _known(_where(self))


def _where(self):
    from ._partition import sharding_of
    return sharding_of(_eager(self))


def _known(found):
    return core.unknown("the sharding of an array") if found is None else found


def _device(self):
    if core.is_tracer(self):
        raise AttributeError(f"{core.class_name(self)} has no attribute device")
    sharding = _known(_where(self))
    devices = sharding.device_set
    return devices.pop() if len(devices) == 1 else sharding


def _copy_to_host_async(self):
    if core.is_tracer(self):
        _unavailable("copy_to_host_async", self)


def _shards(self):
    from ._partition import shards_of
    return _known(shards_of(_eager(self)))


def _as_numpy(self, dtype=None, context=None, copy=None):
    return core.numpy_array(self, dtype)


def _method_of_eager(function):
    """A property that gives a bound function: for tracers, already asking for it fails."""
    def bound(self):
        _eager(self)
        return lambda *args, **kwargs: function(self, *args, **kwargs)
    return bound


def _committed(self):
    """Whether the array was put somewhere: known of one that no sharding was noted of while the program placed nothing."""
    _eager(self)
    return core.unknown("whether an array is committed") if core.anything_placed() else False


PROPERTIES.update({
    "sharding": _sharding, "device": _device, "addressable_shards": _shards, "global_shards": _shards,
    "is_fully_addressable": lambda self: _eager(self) is self, "is_fully_replicated": lambda self: _known(_where(self)).is_fully_replicated,
    "committed": _committed,
    "traceback": lambda self: None if _eager(self) is self else None,
    "devices": _method_of_eager(_devices),
    "delete": _method_of_eager(lambda self: core.delete_array(self)),
    "is_deleted": _method_of_eager(lambda self: core.is_deleted(self)),
    "addressable_data": _method_of_eager(lambda self, index: _shards(self)[index].data),
    "on_device_size_in_bytes": _method_of_eager(lambda self: self.nbytes),
    "unsafe_buffer_pointer": _method_of_eager(lambda self: core.unknown("the address of a buffer")),
    "is_ready": _method_of_eager(lambda self: True),
    "clone": _method_of_eager(lambda self: _copy(self)),
    "platform": _method_of_eager(lambda self: "cpu"),
    "format": lambda self: core.unknown("the layout of an array") if _eager(self) is self else None,
    "tobytes": _method_of_eager(lambda self, order="C": core.unknown("the bytes of an array")),
    "__array_priority__": lambda self: 100,
})
OPERATORS["__index__"] = lambda self: core.concrete_index(self)
OPERATORS["__array__"] = _as_numpy
OPERATORS["__len__"] = lambda self: len(self)
OPERATORS["__iter__"] = lambda self: iter(self)
OPERATORS["__bool__"] = lambda self: bool(self)
OPERATORS["__int__"] = lambda self: int(self)
OPERATORS["__float__"] = lambda self: float(self)
OPERATORS["__complex__"] = lambda self: complex(self)
OPERATORS["__repr__"] = lambda self: repr(self)
OPERATORS["__str__"] = lambda self: str(self)
OPERATORS["__format__"] = lambda self, spec: format(self, spec)


METHODS = {
    "all": _all, "any": _any, "argmax": _argmax, "argmin": _argmin, "argpartition": _argpartition, "argsort": _argsort, "astype": _astype,
    "byteswap": _byteswap, "choose": _choose, "clip": _clip, "compress": _compress, "conj": _conj, "conjugate": _conjugate, "copy": _copy,
    "cumprod": _cumprod, "cumsum": _cumsum, "diagonal": _diagonal, "dot": _dot, "flatten": _flatten, "item": _item, "max": _max,
    "mean": _mean, "min": _min, "nonzero": _nonzero, "prod": _prod, "ptp": _ptp, "ravel": _flatten, "repeat": _repeat, "reshape": _reshape,
    "round": _round, "searchsorted": _searchsorted, "sort": _sort, "squeeze": _squeeze, "std": _std, "sum": _sum, "swapaxes": _swapaxes,
    "take": _take, "to_device": _to_device, "tolist": _tolist, "trace": _trace, "transpose": _transpose, "var": _var, "view": _view,
    "__array_namespace__": _array_namespace, "block_until_ready": _block_until_ready, "copy_to_host_async": _copy_to_host_async,
}
