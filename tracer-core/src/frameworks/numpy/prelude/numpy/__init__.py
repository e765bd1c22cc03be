"""`numpy`: its functions are those of `jax.numpy` run on NumPy's arrays, with 64-bit types and NumPy's promotion.

`core.numpy_call(function, name, args, kwargs)` does the conversion both ways. What NumPy does otherwise stands in the files
beside (`_ROOMS`); then come the ufuncs, then `jax.numpy`. What is in none of them is unknown if
NumPy has it, and an AttributeError if not (`_names`).
"""
from _jitlens import core as _engine

from ._arguments import REDUCTIONS

__version__ = "2.4.6"
pi = 3.141592653589793
e = 2.718281828459045
euler_gamma = 0.5772156649015329
inf = float("inf")
nan = _engine.nan
newaxis = None
little_endian = True

ndarray = _engine.numpy_class("ndarray")
dtype = _engine.numpy_class("dtype")

_CLASSES = set("""generic number integer signedinteger unsignedinteger inexact floating complexfloating flexible character str_ bytes_
    void object_ int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128""".split())
_ALIASES = {"bool_": "bool", "bool": "bool", "single": "float32", "double": "float64", "half": "float16", "intp": "int64",
            "int_": "int64", "uint": "uint64", "intc": "int32", "longlong": "int64", "csingle": "complex64", "cdouble": "complex128",
            "byte": "int8", "ubyte": "uint8", "short": "int16", "ushort": "uint16", "long": "int64", "ulong": "uint64",
            "uintc": "uint32", "uintp": "uint64", "ulonglong": "uint64"}
_SUBMODULES = set("""char ctypeslib dtypes emath exceptions f2py fft lib linalg ma matrixlib polynomial random rec strings testing
    typing""".split())
# What is written here, by file.
_ROOMS = {
    "_creation": """array asarray asanyarray ascontiguousarray asfortranarray asarray_chkfinite require copy zeros ones empty full
        zeros_like ones_like full_like empty_like fromiter fromfunction eye identity frombuffer""",
    "_reductions": """prod sum nansum nanprod cumsum cumprod nancumsum nancumprod median nanmedian average searchsorted digitize histogram histogram_bin_edges tensordot tri tril triu trace angle ptp concatenate concat stack vstack hstack append dot cov
        corrcoef nonzero row_stack select""",
    "_quantiles": "quantile percentile nanquantile nanpercentile",
    "_numeric": """allclose array_equiv interp convolve correlate bincount histogram2d histogramdd cumulative_sum cumulative_prod meshgrid
        vander unravel_index unique_all unique_counts unique_inverse argwhere isreal iscomplex compress extract sort_complex trapezoid
        trim_zeros roll i0 kaiser isin geomspace argpartition partition sort argsort argmax argmin nanargmax
        nanargmin isneginf isposinf""",
    "_made": """linspace logspace clip repeat take delete diag diag_indices tril_indices triu_indices round around arange diff unwrap packbits unpackbits unique cross einsum choose ix_""",
    "_writing": "copyto putmask place put take_along_axis put_along_axis fill_diagonal nan_to_num",
    "_shapes": """shape ndim size reshape ravel transpose permute_dims matrix_transpose swapaxes squeeze moveaxis rollaxis expand_dims
        flip flipud fliplr rot90 atleast_1d atleast_2d atleast_3d broadcast_to broadcast_shapes broadcast_arrays array_split split vsplit
        hsplit dsplit unstack diagonal real imag resize may_share_memory shares_memory isfortran""",
    "_iterators": "flatiter ndindex ndenumerate nditer broadcast vectorize frompyfunc apply_along_axis apply_over_axes piecewise",
    "_types": """ScalarType sctypeDict typecodes isscalar issubdtype finfo iinfo can_cast result_type promote_types common_type
        min_scalar_type mintypecode iscomplexobj isrealobj real_if_close isdtype astype array_equal""",
    "_text": """base_repr binary_repr array2string array_repr array_str format_float_positional format_float_scientific typename
        datetime_as_string""",
    "_polynomials": "roots poly poly1d polyadd polysub polymul polydiv polyder polyint polyval polyfit",
    "_files": "load loadtxt genfromtxt save savez savez_compressed savetxt",
    "_settings": """set_printoptions get_printoptions seterr geterr seterrcall geterrcall setbufsize getbufsize errstate printoptions
        show_config show_runtime info""",
}
_ROOM_OF = _engine.by_word(_ROOMS)
# What `jax.numpy` has from here, or reads files with.
_NOT_JAX = set("load save savez loadtxt genfromtxt fromfile frombuffer fromstring from_dlpack".split())
# Functions that NumPy leaves to the methods of what it is given: an array or tracer of JAX answers itself.
_METHODS = set("""sum prod max min amax amin mean std var any all argmax argmin cumsum cumprod round around squeeze transpose
    permute_dims repeat reshape searchsorted swapaxes nonzero real imag choose take""".split())
# Those that ask the array first, and do with its numbers what it refuses.
_ASKED = set("""argmax argmin argsort choose cumsum cumprod nonzero permute_dims repeat reshape searchsorted swapaxes take transpose round
    around""".split())
# Functions whose first argument is a list of arrays, or a shape.
_OF_LISTS = set("""column_stack dstack block lexsort ravel_multi_index unravel_index indices tri meshgrid einsum einsum_path
    histogramdd bmat""".split())
# Functions whose second argument is an array as well.
_TAKE_SECOND = set("""append convolve correlate cross delete digitize dot in1d inner interp intersect1d isin kron matmul outer searchsorted
    setdiff1d setxor1d take tensordot trapezoid union1d vdot""".split())
# Functions that make arrays of numbers before anything else.
_OF_ARRAYS = {"outer", "inner", "kron", "vdot"}
# Functions that `_objects` has for arrays of what is no number.
_OF_OBJECTS = set("""append argsort array_equal array_split ascontiguousarray atleast_1d atleast_2d broadcast_arrays broadcast_to concatenate copy delete expand_dims flip hstack
    isin moveaxis ndim ravel repeat reshape roll shape size sort split squeeze stack swapaxes take tile transpose unique vstack where""".split())
# What NumPy hands to the method by its place, however it was given.
_BY_PLACE = {"transpose": ("axes",), "permute_dims": ("axes",), "reshape": ("shape",), "repeat": ("repeats",), "take": ("indices",),
             "swapaxes": ("axis1", "axis2")}
# What the array is called where it is given by name, if not `a`.
_FIRST = {"real": "val", "imag": "val", "sinc": "x"}
_SAME = {"amax": "max", "amin": "min", "permute_dims": "transpose", "fix": "trunc"}


def __getattr__(name):
    found = _find(name)
    globals()[name] = found
    return found


def _find(name):
    if name in _SUBMODULES:
        return _engine.import_module("numpy." + name)
    if name in _CLASSES or name in _ALIASES:
        return _engine.numpy_class(_ALIASES.get(name, name))
    if name == "True_" or name == "False_":
        return _engine.numpy_class("bool")(name == "True_")
    if name in _ROOM_OF:
        found = getattr(_engine.import_module("numpy." + _ROOM_OF[name]), name)
        if name in _OF_OBJECTS:
            from . import _objects
            found = _objects.leading(name, found)
        return _leaving(found, name) if name in _METHODS else found
    from . import _names
    if name in _names.NUMPY:
        from . import _ufunc
        if name == "ufunc":
            return _ufunc.ufunc
        if name in _ufunc.COUNTS:
            return _ufunc.make(name)
        if name in _ufunc.ALIASES:
            return _find(_ufunc.ALIASES[name])
        import jax.numpy as jnp
        inner = None if name in _NOT_JAX else getattr(jnp, _SAME.get(name, name), None)
        if inner is not None:
            found = function_of(inner, name)
            if name in _OF_OBJECTS:
                from . import _objects
                found = _objects.leading(name, found)
            return found
    return _names.missing("numpy", name)


def _leaving(found, name):
    """A function that leaves arrays of JAX to their own methods."""
    places, first = _BY_PLACE.get(name, ()), _FIRST.get(name, "a")

    def function(*args, **kwargs):
        if not args and first in kwargs:
            args = (kwargs.pop(first),)
        if args and _engine.is_array(args[0]):
            a, *args = args
            args = tuple(args)
            inner = _own(name)
            if name == "take" and kwargs.get("mode") is None:
                kwargs["mode"] = "raise"
            if name == "reshape" and kwargs.get("copy", True) is None:
                kwargs.pop("copy")
            if len(args) < len(places) and places[len(args)] in kwargs:
                args = args + tuple([kwargs.pop(place) for place in places[len(args):] if place in kwargs])
            return _asked(inner, found, a, args, kwargs) if name in _ASKED else inner(a, *args, **kwargs)
        return found(*args, **kwargs)
    function.__name__ = function.__qualname__ = name
    return function


def _own(name):
    """What an array of JAX answers: its method, which takes otherwise than the function here and there."""
    import jax.numpy as jnp
    from jax._array import METHODS
    name = _SAME.get(name, "round" if name == "around" else name)
    return METHODS.get(name) or getattr(jnp, name)


def _asked(inner, found, a, args, kwargs):
    """What an array of JAX answers itself; where it takes no such arguments, NumPy's function of its numbers."""
    try:
        return inner(a, *args, **kwargs)
    except TypeError:
        if _engine.is_tracer(a):
            raise
        return found(_engine.numpy_array(a), *args, **kwargs)


def function_of(inner, name):
    """A function of `jax.numpy` as NumPy's."""
    if name in ("mgrid", "ogrid", "r_", "c_"):
        return {"mgrid": MGridClass, "ogrid": OGridClass, "r_": RClass, "c_": CClass}[name](inner, name)
    if not callable(inner):
        return inner

    leaves, reduces, first = name in _METHODS, name in REDUCTIONS, _FIRST.get(name, "a")
    own = _own(name) if leaves else None

    def function(*args, **kwargs):
        if not args and first in kwargs and (leaves or reduces or name in _FIRST):
            args = (kwargs.pop(first),)
        if _engine.is_array(kwargs.get("dtype")):
            kwargs["dtype"] = _engine.dtype(kwargs["dtype"])
        if leaves and args and _engine.is_array(args[0]):
            return _asked(own, function, args[0], args[1:], kwargs) if name in _ASKED else own(*args, **kwargs)
        if reduces and args and (len(args) > 1 or kwargs):
            from ._arguments import of_reduction
            a = _engine.numpy_array(args[0])
            kwargs = of_reduction(name, a, args[1:], kwargs)
            args = (a,)
        if args and isinstance(args[0], (list, tuple, range)) and name not in _OF_LISTS:
            args = (_engine.numpy_array(args[0]),) + args[1:]
        if name in _TAKE_SECOND and len(args) > 1 and isinstance(args[1], (list, tuple, range)):
            args = (args[0], _engine.numpy_array(args[1])) + args[2:]
        if name in _OF_ARRAYS:
            args = tuple([_engine.numpy_array(x) if isinstance(x, (int, float, complex)) else x for x in args[:2]]) + args[2:]
        if name in ("sinc", "gradient") and args and _engine.numpy_array(args[0]).dtype.kind in "bui":
            args = (_engine.numpy_array(args[0], "float64")[()], *args[1:])
        made = _engine.numpy_call(inner, name, args, kwargs)
        if name == "var" and kwargs.get("dtype") is not None:
            dtype = _engine.numpy_dtype_from(kwargs["dtype"])
            # A sum of squares in a type that has no fractions is of that type.
            return _engine.numpy_array(made).astype(dtype)[()] if dtype.kind not in "fc" and made.dtype != dtype else made
        if name == "gradient" and isinstance(made, list):
            return tuple(made)
        return _engine.numpy_array(made) if name == "pad" else made
    function.__name__ = function.__qualname__ = name
    return function


class _Indexed:
    """`mgrid[...]` and its like."""

    def __init__(self, inner, name):
        self._inner, self._name = inner, name

    def __getitem__(self, key):
        several = isinstance(key, tuple)
        found = _engine.numpy_call(lambda *parts: self._inner[parts if several else parts[0]], self._name, key if several else (key,), {})
        return tuple(found) if isinstance(found, list) else found


class MGridClass(_Indexed):
    """`mgrid`: whole grids."""


class OGridClass(_Indexed):
    """`ogrid`: open grids."""


class RClass(_Indexed):
    """`r_`: along the first axis."""


class CClass(_Indexed):
    """`c_`: as columns."""


def __dir__():
    from . import _names
    return sorted(_names.NUMPY)
