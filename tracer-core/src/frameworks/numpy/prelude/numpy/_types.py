"""Questions about types."""
from _jitlens import core

ScalarType = core.unmodelled("numpy.ScalarType")
sctypeDict = core.unmodelled("numpy.sctypeDict")
typecodes = {
    "Character": "c", "Integer": "bhilqnp", "UnsignedInteger": "BHILQNP", "Float": "efdg", "Complex": "FDG", "AllInteger": "bBhHiIlLqQnNpP",
    "AllFloat": "efdgFDG", "Datetime": "Mm", "All": "?bhilqnpBHILQNPefdgFDGSUVOMm",
}


# The floats that `ml_dtypes` adds: NumPy has no limits of them.
_EXTENSIONS = ("bfloat16 float4_e2m1fn float8_e3m4 float8_e4m3 float8_e4m3b11fnuz float8_e4m3fn float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz"
               " float8_e8m0fnu").split()


def isscalar(element):
    return isinstance(element, (int, float, complex, str, bytes)) or core.is_numpy_scalar(element)


def issubdtype(arg1, arg2):
    from . import _types_of_texts as others
    if others.is_other(arg1):
        own = others.of(arg1).type
        if others.is_other(arg2):
            return issubclass(own, others.of(arg2).type)
        return isinstance(arg2, type) and issubclass(own, arg2)
    name = arg1.name if core.is_dtype(arg1) else arg1.__name__ if isinstance(arg1, type) else arg1
    if isinstance(name, str) and name in _EXTENSIONS and isinstance(arg2, type):
        return issubclass(core.scalar_type_class(name), arg2)
    from jax.numpy import _rounding
    return _rounding.issubdtype(arg1, arg2)


class _OfFloats(type):
    def __instancecheck__(cls, value):
        return isinstance(value, core.finfo)


class finfo(metaclass=_OfFloats):
    """JAX's, of what NumPy takes: values count by their types."""

    def __new__(cls, dtype):
        if isinstance(dtype, str) and dtype in _EXTENSIONS:
            raise ValueError(f"data type <class 'ml_dtypes.{dtype}'> not inexact")
        if dtype is float or dtype is None or type(dtype) is float:
            dtype = "float64"
        elif dtype is complex or type(dtype) is complex:
            dtype = "complex128"
        elif type(dtype) in (bool, int):
            raise ValueError(f"data type <class 'numpy.{'bool' if type(dtype) is bool else 'int64'}'> not inexact")
        elif isinstance(dtype, core.numpy_class("ndarray")):
            raise ValueError("data type <class 'numpy.object_'> not inexact")
        return core.finfo(dtype)


class iinfo(core.iinfo):
    def __init__(self, int_type):
        if isinstance(int_type, (list, tuple, core.numpy_class("ndarray"))):
            raise ValueError("Invalid integer data type 'O'.")
        super().__init__(int_type)

    def __str__(self):
        line = "-" * 63
        return f"Machine parameters for {self.dtype}\n{line}\nmin = {self.min}\nmax = {self.max}\n{line}\n"


def can_cast(from_, to, casting="safe"):
    import numpy
    if isinstance(from_, (int, float, complex)) and not isinstance(from_, bool):
        raise TypeError("can_cast() does not support Python ints, floats, and complex because the result used to depend on the value.")
    source = from_.dtype if hasattr(from_, "dtype") and not isinstance(from_, type) else numpy.dtype(from_)
    target = numpy.dtype(to)
    if casting == "unsafe":
        return True
    if casting in ("no", "equiv"):
        return source == target
    if casting == "same_kind":
        from ._writing import can_cast_same_kind
        return can_cast_same_kind(source, target)
    return core.numpy_result_type(source, target) == target


def result_type(*arrays_and_dtypes):
    return core.numpy_result_type(*arrays_and_dtypes)


def promote_types(type1, type2):
    import numpy
    return core.numpy_result_type(numpy.dtype(type1), numpy.dtype(type2))


def common_type(*arrays):
    import numpy
    kinds = [a.dtype for a in arrays]
    if any([d.kind == "b" or d.name == "bfloat16" for d in kinds]):
        raise TypeError("can't get common type for non-numeric array")
    floats = [numpy.dtype("float64") if d.kind in "bui" else d for d in kinds]
    return core.numpy_result_type(*floats).type


def min_scalar_type(a, /):
    import numpy
    if hasattr(a, "dtype") and core.ndim(a):
        return a.dtype
    if isinstance(a, numpy.generic) or core.is_numpy_array(a) or core.is_array(a):
        a = core.numpy_array(a).item()
    if isinstance(a, bool):
        return numpy.dtype("bool")
    # The bounds are NumPy's own: those of the types less a margin.
    if isinstance(a, float):
        finite = a == a and abs(a) != float("inf")
        return numpy.dtype("float16" if not finite or abs(a) < 65000 else "float32" if abs(a) < 3.4e38 else "float64")
    if isinstance(a, complex):
        return numpy.dtype("complex64" if max(abs(a.real), abs(a.imag)) < 3.4e38 else "complex128")
    if isinstance(a, int):
        names = ("uint8", "uint16", "uint32", "uint64") if a >= 0 else ("int8", "int16", "int32", "int64")
        for name in names:
            if core.iinfo(name).min <= a <= core.iinfo(name).max:
                return numpy.dtype(name)
        return core.unmodelled("a dtype of objects")
    return core.unmodelled("numpy.min_scalar_type of such a number")


def mintypecode(typechars, typeset="GDFgdf", default="d"):
    typecodes = [one if isinstance(one, str) else core.numpy_array(one).dtype.char for one in typechars] if core.ndim(typechars) == 0 and isinstance(
        typechars, (str, list, tuple)) else None
    if typecodes is None:
        # Of an array the elements are asked for their types.
        if core.ndim(typechars) == 0:
            raise TypeError(f"'{type(typechars).__name__}' object is not iterable")
        typecodes = [core.numpy_array(typechars).dtype.char] * len(typechars)
    kept = {one for one in typecodes if one in typeset}
    if not kept:
        return default
    if "F" in kept and "d" in kept:
        return "D"
    return min(kept, key="GDFgdf".index)


def iscomplexobj(x):
    return core.numpy_array(x).dtype.kind == "c"


def isrealobj(x):
    return not iscomplexobj(x)


def real_if_close(a, tol=100):
    a = core.numpy_array(a)
    if a.dtype.kind != "c":
        return a
    return core.unmodelled("numpy.real_if_close of complex numbers")


def isdtype(dtype, kind):
    import numpy
    if not isinstance(dtype, numpy.dtype) and not (isinstance(dtype, type) and issubclass(dtype, numpy.generic)) and not hasattr(dtype, "dtype"):
        raise TypeError(f"dtype argument must be a NumPy dtype, but it is a {type(dtype)}.")
    for one in kind if isinstance(kind, tuple) else (kind,):
        if isinstance(one, str):
            if one not in ("bool", "signed integer", "unsigned integer", "integral", "real floating", "complex floating", "numeric"):
                raise ValueError(f"kind argument is a string, but {one!r} is not a known kind name.")
        elif one is None:
            raise TypeError("kind argument must be comprised of NumPy dtypes or strings only, but is a <class 'NoneType'>.")
    return core.isdtype(dtype, kind)


def astype(x, dtype, /, *, copy=True, device=None):
    if not core.is_numpy_array(x) and not core.is_numpy_scalar(x):
        raise TypeError(f"Input should be a NumPy array. It is of type {type(x)}.")
    return x.astype(dtype)


def array_equal(a1, a2, equal_nan=False):
    import jax.numpy as jnp
    if core.is_tracer(a1) or core.is_tracer(a2):
        return False
    return bool(core.numpy_call(jnp.array_equal, "array_equal", (a1, a2), {"equal_nan": equal_nan}))
