"""NumPy's ufuncs: functions of elements, with methods."""
from _jitlens import core

from ._arguments import condition, is_text, order as check_order

# Inputs and results of each.
COUNTS = core.by_word({
    "1 1": """absolute arccos arccosh arcsin arcsinh arctan arctanh bitwise_count cbrt ceil conjugate cos cosh deg2rad degrees exp exp2
        expm1 fabs floor invert isfinite isinf isnan log log10 log1p log2 logical_not negative positive rad2deg radians reciprocal
        rint sign signbit sin sinh spacing sqrt square tan tanh trunc""",
    "2 1": """add arctan2 bitwise_and bitwise_or bitwise_xor copysign divide equal float_power floor_divide fmax fmin fmod gcd greater
        greater_equal heaviside hypot lcm ldexp left_shift less less_equal logaddexp logaddexp2 logical_and logical_or logical_xor
        maximum minimum multiply nextafter not_equal power remainder right_shift subtract matmul vecdot matvec vecmat""",
    "1 2": "frexp modf",
    "2 2": "divmod",
})
ALIASES = {"abs": "absolute", "acos": "arccos", "acosh": "arccosh", "asin": "arcsin", "asinh": "arcsinh", "atan": "arctan",
           "atanh": "arctanh", "atan2": "arctan2", "bitwise_invert": "invert", "bitwise_not": "invert", "conj": "conjugate",
           "mod": "remainder", "true_divide": "divide", "pow": "power", "bitwise_left_shift": "left_shift",
           "bitwise_right_shift": "right_shift"}
_IDENTITIES = {"add": 0, "multiply": 1, "logical_and": True, "logical_or": False, "logical_xor": False, "bitwise_and": -1,
               "bitwise_or": 0, "bitwise_xor": 0, "hypot": 0, "gcd": 0}
_REDUCTIONS = {"add": "sum", "multiply": "prod", "maximum": "max", "minimum": "min", "logical_and": "all", "logical_or": "any"}
_RUNNING = {"add": "cumsum", "multiply": "cumprod"}
_TRUTHS = set("""equal not_equal less less_equal greater greater_equal logical_and logical_or logical_xor logical_not isfinite isinf
    isnan signbit ldexp""".split())
_INNER = {"float_power": "float_power", "matvec": "matvec", "vecmat": "vecmat"}
_MADE = {}


def make(name):
    if name not in _MADE:
        import jax.numpy as jnp
        _MADE[name] = ufunc(name, getattr(jnp, name, None))
    return _MADE[name]


def _cast(args, dtype, complex_too=False):
    """Operands in the floating type that is asked for: it is computed in that type, not in theirs."""
    import numpy
    dtype = numpy.dtype(dtype)
    if dtype.kind not in "fc":
        return args
    return tuple([arg if core.numpy_array(arg).dtype.kind == "c" and not complex_too else core.numpy_array(arg, dtype) for arg in args])


# Ufuncs whose loops compute floating numbers alone.
_FLOATING = set("""arccos arccosh arcsin arcsinh arctan arctan2 arctanh cbrt copysign cos cosh deg2rad degrees exp exp2 expm1 fabs frexp
    heaviside hypot ldexp log log10 log1p log2 logaddexp logaddexp2 modf nextafter rad2deg radians rint sin sinh spacing sqrt tan
    tanh""".split())


# Ufuncs that narrow floats (and 4-bit integers) of `ml_dtypes` have loops for, and those that look for one.
_NARROW = {"f": set("absolute add fmax fmin maximum minimum multiply negative positive sign subtract".split()), "i": set("add multiply subtract".split())}
_LOOKED_UP = _NARROW["f"] | {"gcd", "lcm"}


def _check_narrow(name, dtype):
    if name in _NARROW["i" if "int" in dtype.name else "f"]:
        return
    if name in _LOOKED_UP:
        from numpy._core._exceptions import _UFuncNoLoopError
        raise _UFuncNoLoopError(f"ufunc '{name}' did not contain a loop with signature matching types")
    raise TypeError(f"No loop matching the specified signature and casting was found for ufunc {name}")


# Ufuncs of numbers that have no loop for bools.
_TRUE_DIVISION = ("divide", "true_divide")
_NEVER_BOOL = set("""subtract floor_divide power remainder divmod negative sign positive square reciprocal fmod left_shift right_shift gcd
    lcm""".split())


def _check_loop(name, args, dtype):
    """Whether a ufunc has a loop that gives `dtype`, and whether it takes these operands."""
    import numpy
    from ._writing import can_cast_same_kind
    dtype = numpy.dtype(dtype)
    known = dtype.kind in "biufc"
    if dtype.kind == "V":
        return _check_narrow(name, dtype)
    if name in _TRUTHS and name != "ldexp" and dtype.kind not in "bO" or name in _FLOATING and known and dtype.kind not in "fc":
        raise TypeError(f"No loop matching the specified signature and casting was found for ufunc {name}")
    if (name in _NEVER_BOOL and dtype.kind == "b" or name in _TRUE_DIVISION and dtype.kind in "bui" or name == "float_power" and known and dtype.itemsize < 8
            or name == "bitwise_count" and dtype.name != "uint8"):
        raise TypeError(f"No loop matching the specified signature and casting was found for ufunc {name}")
    for place, arg in enumerate(args):
        own = core.numpy_array(arg).dtype
        # A Python integer fits into what has no sign as well.
        if isinstance(arg, int) and dtype.kind == "u" or own == dtype or name in _TRUTHS or own.kind not in "biufc":
            continue
        if not known:
            raise TypeError(f"No loop matching the specified signature and casting was found for ufunc {name}")
        if not can_cast_same_kind(own, dtype):
            from numpy._core._exceptions import _UFuncInputCastingError
            raise _UFuncInputCastingError(f"Cannot cast ufunc '{name}' input {place if len(args) > 1 else ''}{' ' if len(args) > 1 else ''}from "
                                 f"dtype('{own}') to dtype('{dtype}') with casting rule 'same_kind'")
    if name == "absolute" and dtype.kind == "c":
        from numpy._core._exceptions import _UFuncOutputCastingError
        raise _UFuncOutputCastingError(f"Cannot cast ufunc 'absolute' output from dtype('{dtype}') to a real one with casting rule 'same_kind'")


class ufunc:
    __module__ = "numpy"

    def __init__(self, name, inner):
        self.__name__ = self.__qualname__ = name
        self.nin, self.nout = [int(count) for count in COUNTS[name].split()]
        self.nargs = self.nin + self.nout
        self.identity = _IDENTITIES.get(name)
        self.signature = None
        self._inner = inner

    def __repr__(self):
        return f"<ufunc '{self.__name__}'>"

    def __call__(self, *args, out=None, where=True, casting="same_kind", order="K", dtype=None, subok=True, signature=None, **gufunc):
        name = self.__name__
        if len(args) < self.nin or len(args) > self.nargs:
            raise TypeError(f"{name}() takes from {self.nin} to {self.nargs} positional arguments but {len(args)} were given")
        for arg in args:
            if not isinstance(arg, _PLAIN) and hasattr(type(arg), "__array_ufunc__"):
                given = {"out": out, "where": where, "casting": casting, "order": order, "dtype": dtype, "signature": signature}
                kwargs = {key: value for key, value in given.items() if value is not _DEFAULTS[key]}
                return _overridden(self, "__call__", args, {**kwargs, **gufunc})
        if self._inner is None:
            return core.unmodelled("numpy." + name)
        if len(args) > self.nin:
            out = args[self.nin:]
        if where is not True:
            where = condition(where)
        if dtype is object or is_text(dtype) and name == "add":
            return core.unknown("an array of objects")
        if is_text(dtype):
            if isinstance(dtype, str) and dtype[-1].isdigit():
                raise TypeError("The `dtype` and `signature` arguments to ufuncs only select the general DType and not details such as the byte order")
            if name in _LOOKED_UP:
                from numpy._core._exceptions import _UFuncNoLoopError
                raise _UFuncNoLoopError(f"ufunc '{name}' did not contain a loop with signature matching types")
            raise TypeError(f"No loop matching the specified signature and casting was found for ufunc {name}")
        if dtype is not None:
            dtype = core.numpy_dtype_from(dtype)
        check_order(order)
        if name == "ldexp" and core.numpy_array(args[1]).dtype.kind == "f":
            raise TypeError("ufunc 'ldexp' not supported for the input types, and the inputs could not be safely coerced to any supported types "
                            "according to the casting rule ''safe''")
        if dtype is not None:
            _check_loop(name, args[:self.nin], dtype)
        if dtype is not None and name not in _TRUTHS:
            args = _cast(args[:self.nin], dtype)
        if name == "float_power":
            args = _cast(args[:2], "complex128" if any([core.numpy_array(arg).dtype.kind == "c" for arg in args[:2]]) else "float64", True)
        if name in ("matmul", "vecdot", "matvec", "vecmat"):
            # What `ml_dtypes` has no loop for is computed in the float that holds it.
            args = tuple([core.numpy_array(x).astype("float32") if getattr(x, "dtype", None) == "bfloat16" else x for x in args[:2]])
        if self.__name__ in ("vecdot", "matvec", "vecmat"):
            for i, arg in enumerate(args[:2]):
                if core.ndim(core.numpy_array(arg)) == 0:
                    raise ValueError(f"{name}: Input operand {i} does not have enough dimensions")
        if name == "vecdot" and gufunc.pop("keepdims", False):
            import numpy
            return numpy.expand_dims(self(*args, out=out, where=where, dtype=dtype, **gufunc), gufunc.get("axis", -1))
        if gufunc:
            return core.numpy_call(self._inner, name, args[:self.nin], gufunc)
        if name == "reciprocal" and not isinstance(args[0], (int, float, complex)) and core.numpy_array(args[0]).dtype.kind in "bui":
            import numpy
            x = core.numpy_array(args[0], core.named_dtype("int8") if core.numpy_array(args[0]).dtype == bool else None)
            result = numpy.where(abs(x) == 1, x, 0).astype(x.dtype)[()]
        else:
            result = core.numpy_ufunc(self._inner, name, args[:self.nin])
        if dtype is not None:
            result = tuple([core.numpy_array(one, dtype)[()] for one in result]) if self.nout > 1 else core.numpy_array(result, dtype)[()]
        if out is None or isinstance(out, tuple) and out[0] is None:
            if where is True:
                return result
            import numpy
            return numpy.where(where, result, numpy.empty_like(result))
        if self.nout > 1:
            for one, made in zip(out, result):
                store(name, one, made, where)
            return tuple(out)
        return store(name, out[0] if isinstance(out, tuple) else out, result, where)

    def _binary(self, what):
        if self.nin != 2:
            raise ValueError(f"{what} only supported for binary functions")

    def _methods(self):
        """What has the methods of a ufunc: functions that JAX has as plain ones have none."""
        if hasattr(self._inner, "reduce"):
            return self._inner
        from jax.numpy import frompyfunc
        return frompyfunc(self._inner, 2, 1)

    def reduce(self, array, axis=0, dtype=None, out=None, keepdims=False, initial=None, where=True):
        self._binary("reduce")
        if not isinstance(array, _PLAIN) and hasattr(type(array), "__array_ufunc__"):
            given = {"axis": axis, "dtype": dtype, "out": out, "keepdims": keepdims, "initial": initial, "where": where}
            defaults = {"axis": 0, "dtype": None, "out": None, "keepdims": False, "initial": None, "where": True}
            return _overridden(self, "reduce", (array,), {key: value for key, value in given.items() if value is not defaults[key]})
        import numpy
        kwargs = {"axis": axis, "keepdims": keepdims}
        if dtype is not None:
            kwargs["dtype"] = dtype
        if initial is not None:
            kwargs["initial"] = initial
        if where is not True:
            kwargs["where"] = where
        if core.is_array(array):
            # The ufunc wants NumPy's numbers; the function would leave it to the array.
            array = core.numpy_array(array)
        if self.__name__ in _REDUCTIONS:
            result = getattr(numpy, _REDUCTIONS[self.__name__])(array, **kwargs)
        elif not hasattr(self._inner, "reduce") and set(kwargs) == {"axis", "keepdims"} and isinstance(axis, int) and numpy.shape(array)[axis]:
            # One element after the other.
            running = self.accumulate(array, axis)
            result = numpy.take(running, [-1] if keepdims else -1, axis)
        else:
            result = core.numpy_call(self._methods().reduce, self.__name__, (core.numpy_array(array),), kwargs)
        return result if out is None else store(self.__name__, out, result)

    def accumulate(self, array, axis=0, dtype=None, out=None):
        self._binary("accumulate")
        if not isinstance(array, _PLAIN) and hasattr(type(array), "__array_ufunc__"):
            given = {"axis": axis, "dtype": dtype, "out": out}
            defaults = {"axis": 0, "dtype": None, "out": None}
            return _overridden(self, "accumulate", (array,), {key: value for key, value in given.items() if value is not defaults[key]})
        import numpy
        if core.is_array(array):
            array = core.numpy_array(array)
        if self.__name__ in _RUNNING:
            result = getattr(numpy, _RUNNING[self.__name__])(array, axis=axis, dtype=dtype)
        else:
            result = core.numpy_call(self._methods().accumulate, self.__name__, (core.numpy_array(array),), {"axis": axis, "dtype": dtype})
        return result if out is None else store(self.__name__, out, result)

    def reduceat(self, array, indices, axis=0, dtype=None, out=None):
        self._binary("reduceat")
        result = core.numpy_call(self._methods().reduceat, self.__name__, (core.numpy_array(array), core.numpy_array(indices)),
                                 {"axis": axis, "dtype": dtype})
        return result if out is None else store(self.__name__, out, result)

    def outer(self, A, B, /, **kwargs):
        self._binary("outer")
        A, B = core.numpy_array(A), core.numpy_array(B)
        return self(A.reshape(A.shape + (1,) * B.ndim), B, **kwargs)

    def at(self, a, indices, b=None, /):
        if not core.is_numpy_array(a):
            raise TypeError("first operand must be array")
        args = (a, indices) if b is None else (a, indices, b)
        a[...] = core.numpy_call(self._methods().at, self.__name__, args, {"inplace": False})


_PLAIN = (int, float, complex, list, tuple, core.numpy_class("ndarray"), core.numpy_class("generic"))
_DEFAULTS = {"out": None, "where": True, "casting": "same_kind", "order": "K", "dtype": None, "signature": None}


def _overridden(ufunc, method, inputs, kwargs):
    """What the classes of a ufunc's arguments make of the call: subclasses are asked first, then from left to right."""
    out = kwargs.get("out")
    if out is not None and not isinstance(out, tuple):
        kwargs["out"] = out = (out,)
    asked = []
    for arg in inputs + (out or ()):
        kind = type(arg)
        if isinstance(arg, _PLAIN) or not hasattr(kind, "__array_ufunc__") or any([type(other) is kind for other in asked]):
            continue
        if kind.__array_ufunc__ is None:
            raise TypeError(f"operand '{kind.__name__}' does not support ufuncs (__array_ufunc__=None)")
        before = [i for i, other in enumerate(asked) if issubclass(kind, type(other))]
        asked.insert(before[0] if before else len(asked), arg)
    for arg in asked:
        result = arg.__array_ufunc__(ufunc, method, *inputs, **kwargs)
        if result is not NotImplemented:
            return result
    shown = ", ".join([repr(x) for x in inputs] + [f"{key}={value!r}" for key, value in kwargs.items()])
    kinds = ", ".join([f"'{type(x).__name__}'" for x in inputs + (out or ())])
    raise TypeError(f"operand type(s) all returned NotImplemented from __array_ufunc__({ufunc!r}, '{method}', {shown}): {kinds}")


def store(name, out, result, where=True):
    """`result` in the array `out`, by the rules of a ufunc's output."""
    from ._writing import can_cast_same_kind
    if not core.is_numpy_array(out):
        raise TypeError("return arrays must be of ArrayType")
    made = core.numpy_array(result)
    if not can_cast_same_kind(made.dtype, out.dtype):
        from numpy._core._exceptions import _UFuncOutputCastingError
        raise _UFuncOutputCastingError(f"Cannot cast ufunc '{name}' output from dtype('{made.dtype}') to dtype('{out.dtype}') with "
                                       "casting rule 'same_kind'")
    if made.shape != out.shape:
        import numpy
        shape = numpy.broadcast_shapes(made.shape, out.shape)
        if shape != out.shape:
            raise ValueError(f"non-broadcastable output operand with shape {_tight(out.shape)} doesn't match the broadcast shape "
                             f"{_tight(shape)}")
    if where is True:
        out[...] = made
    else:
        import numpy
        out[...] = numpy.where(where, made, out)
    return out


def _tight(shape):
    return str(shape).replace(" ", "")
