"""`numpy`: its functions are those of `jax.numpy` run on NumPy's arrays, with 64-bit types and NumPy's promotion.

`core.numpy_call(function, name, args, kwargs)` does the conversion both ways. What NumPy does otherwise stands in the files
beside: a name is looked up in each (`_HERE`), then among the ufuncs, then in `jax.numpy`. What is in none of them is unknown if
NumPy has it, and an AttributeError if not (`_names`).
"""
from _jitlens import core

from . import _names

__version__ = "2.4.6"
pi = 3.141592653589793
e = 2.718281828459045
euler_gamma = 0.5772156649015329
inf = float("inf")
nan = float("nan")
newaxis = None
little_endian = True

ndarray = core.numpy_class("ndarray")
dtype = core.numpy_class("dtype")

_CLASSES = set("""generic number integer signedinteger unsignedinteger inexact floating complexfloating flexible character str_ bytes_
    void object_ int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128""".split())
_ALIASES = {"bool_": "bool", "bool": "bool", "single": "float32", "double": "float64", "half": "float16", "intp": "int64",
            "int_": "int64", "uint": "uint64", "intc": "int32", "longlong": "int64", "csingle": "complex64", "cdouble": "complex128",
            "byte": "int8", "ubyte": "uint8", "short": "int16", "ushort": "uint16", "long": "int64", "ulong": "uint64",
            "uintc": "uint32", "uintp": "uint64", "ulonglong": "uint64"}
_SUBMODULES = set("""char ctypeslib dtypes emath exceptions f2py fft lib linalg ma matrixlib polynomial random rec strings testing
    typing""".split())
_HERE = ("_creation", "_reductions", "_writing", "_shapes", "_iterators", "_types", "_text", "_files", "_settings")
# What `jax.numpy` has from here, or reads files with.
_NOT_JAX = set("load save savez loadtxt genfromtxt fromfile frombuffer fromstring from_dlpack".split())
# Functions that NumPy leaves to the methods of what it is given: an array or tracer of JAX answers itself.
_METHODS = set("""sum prod max min amax amin mean std var any all argmax argmin cumsum cumprod round around squeeze transpose
    permute_dims repeat reshape searchsorted swapaxes nonzero flip real imag moveaxis rollaxis choose take""".split())
# Functions whose first argument is a list of arrays, or a shape.
_OF_LISTS = set("""column_stack dstack block lexsort select ravel_multi_index unravel_index indices tri meshgrid einsum einsum_path
    histogramdd bmat""".split())
# Functions whose second argument is an array as well.
_TAKE_SECOND = set("""append convolve correlate cross delete digitize dot in1d inner interp intersect1d isin kron matmul outer searchsorted
    setdiff1d setxor1d take tensordot trapezoid union1d vdot""".split())
_SAME = {"amax": "max", "amin": "min", "row_stack": "vstack", "fix": "trunc"}


def __getattr__(name):
    found = _find(name)
    globals()[name] = found
    return found


def _find(name):
    import importlib
    if name in _SUBMODULES:
        return importlib.import_module("numpy." + name)
    if name in _CLASSES or name in _ALIASES:
        return core.numpy_class(_ALIASES.get(name, name))
    if name == "True_" or name == "False_":
        return core.numpy_class("bool")(name == "True_")
    if name in _names.NAMES["numpy"]:
        for room in _HERE:
            found = getattr(importlib.import_module("numpy." + room), name, None)
            if found is not None:
                return _leaving(found, name) if name in _METHODS else found
        from . import _ufunc
        if name == "ufunc":
            return _ufunc.ufunc
        if name in _ufunc.TABLE:
            return _ufunc.make(name)
        if name in _ufunc.ALIASES:
            return _find(_ufunc.ALIASES[name])
        import jax.numpy as jnp
        inner = None if name in _NOT_JAX else getattr(jnp, _SAME.get(name, name), None)
        if inner is not None:
            return function_of(inner, name)
    return _names.missing("numpy", name)


def _leaving(found, name):
    """A function that leaves arrays of JAX to their own methods."""
    def function(a, *args, **kwargs):
        if core.is_array(a):
            import jax.numpy as jnp
            return getattr(jnp, _SAME.get(name, name))(a, *args, **kwargs)
        return found(a, *args, **kwargs)
    function.__name__ = function.__qualname__ = name
    return function


def function_of(inner, name):
    """A function of `jax.numpy` as NumPy's."""
    if name in ("mgrid", "ogrid", "r_", "c_"):
        return _Indexed(inner, name)
    if not callable(inner):
        return inner

    leaves = name in _METHODS

    def function(*args, **kwargs):
        if leaves and args and core.is_array(args[0]):
            if name == "take" and kwargs.get("mode") is None:
                kwargs["mode"] = "raise"
            return inner(*args, **kwargs)
        if args and isinstance(args[0], (list, tuple, range)) and name not in _OF_LISTS:
            args = (core.numpy_array(args[0]),) + args[1:]
        if name in _TAKE_SECOND and len(args) > 1 and isinstance(args[1], (list, tuple, range)):
            args = (args[0], core.numpy_array(args[1])) + args[2:]
        return core.numpy_call(inner, name, args, kwargs)
    function.__name__ = function.__qualname__ = name
    return function


class _Indexed:
    """`mgrid[...]` and its like."""

    def __init__(self, inner, name):
        self._inner, self._name = inner, name

    def __getitem__(self, key):
        several = isinstance(key, tuple)
        found = core.numpy_call(lambda *parts: self._inner[parts if several else parts[0]], self._name, key if several else (key,), {})
        return tuple(found) if isinstance(found, list) else found


def __dir__():
    return sorted(_names.NAMES["numpy"])
