"""Functions of NumPy arrays: what they give is not known, and tracers are no NumPy arrays."""
import numpy as np
from _jitlens import core


def refuse_tracers(args, kwargs):
    """Raises for a tracer among the arguments, as turning it into a NumPy array does."""
    for value in core.tree_leaves((args, kwargs)):
        if core.is_tracer(value):
            np.asarray(value)


def functions(module, of_numbers=""):
    """A module-level `__getattr__`: every public name is a function of arrays, but for those that take plain numbers."""
    of_numbers = frozenset(of_numbers.split())

    def __getattr__(name):
        if name.startswith("__"):
            raise AttributeError(name)
        if name in of_numbers or name[0].isupper():
            return core.unknown(f"`{module}.{name}` is not modelled")

        def function(*args, **kwargs):
            refuse_tracers(args, {})
            return core.unknown(f"`{module}.{name}` is not modelled")
        function.__name__ = name
        return function
    return __getattr__


def opaque(shape, dtype="float64"):
    """An array (a NumPy scalar without axes) of which only shape and type are known."""
    return core.numpy_opaque(tuple(shape), core.named_dtype(dtype) if isinstance(dtype, str) else dtype)


def opaque_array(shape, dtype="float64"):
    """The same, but that without axes it is an array all the same."""
    shape = tuple(shape)
    return opaque(shape, dtype) if shape else opaque((1,), dtype).reshape(())


def numbers(x):
    """`x` as an array of NumPy's numbers; unknown for what is none."""
    refuse_tracers((x,), {})
    x = np.asarray(x)
    return x if x.dtype.kind in "biufc" else core.unknown("not an array of numbers")


def floating(dtype):
    """The type that integers become among numbers with fractions, and others stay."""
    dtype = core.named_dtype(dtype) if isinstance(dtype, str) else dtype
    return dtype if dtype.kind in "fc" else core.named_dtype("float64")


def plain(name):
    """Whether a type is of 32 or more bits, and a number that BLAS and ufuncs of SciPy know what to do with."""
    return name in ("float32", "float64", "complex64", "complex128", "int32", "int64", "uint32", "uint64")


def blas_type(*arrays):
    """The type in which LAPACK computes with arrays."""
    names = [a.dtype.name for a in arrays]
    if not all([plain(name) for name in names]):
        return core.unknown("which precision SciPy computes in")
    narrow = all([name in ("float32", "complex64") for name in names])
    if any([name.startswith("complex") for name in names]):
        return "complex64" if narrow else "complex128"
    return "float32" if narrow else "float64"


def unmodelled(module):
    """A module-level `__getattr__`: what is not modelled is unknown."""
    def __getattr__(name):
        if name.startswith("__"):
            raise AttributeError(name)
        return core.unknown(f"`{module}.{name}` is not modelled")
    return __getattr__
