"""Clipping, rounding, comparing closely, and asking what an array is."""
import math

from _jitlens import core, prims as p

from . import _low
from ._creation import array, asarray
from ._elementwise import imag, isfinite, isnan, isneginf, isposinf, rad2deg, real
from ._reductions import all as all_
from ._ufuncs import apply


def _is_complex(x):
    return x is not None and core.is_arraylike(x) and core.dtype(x).kind == "c"


@core.jit
def clip(arr=None, /, min=None, max=None):
    if arr is None:
        raise ValueError("No input was provided to the clip function.")
    core.check_arraylike("clip", arr)
    if _is_complex(arr) or _is_complex(min) or _is_complex(max):
        raise ValueError("Clip received a complex value either through the input or the min/max keywords. Complex values have no "
                         "ordering and cannot be clipped. Please convert to a real value or array by taking the real or "
                         "imaginary components via jax.numpy.real/imag respectively.")
    if min is not None:
        arr = apply("maximum", min, arr)
    if max is not None:
        arr = apply("minimum", max, arr)
    return core.asarray(arr)


@core.jit(static_argnames=("decimals",))
def round(a, decimals=0, out=None):
    a = core.arraylike("round", a)
    decimals = core.concrete_index(decimals, "'decimals' argument of jnp.round")
    if out is not None:
        raise NotImplementedError("The 'out' argument to jnp.round is not supported.")
    dtype = a.dtype
    if _low.is_kind(dtype, "integer"):
        if decimals < 0:
            raise NotImplementedError("integer np.round not implemented for decimals < 0")
        return a
    if decimals > math.log10(float(core.finfo(dtype).max)):
        return a
    if dtype.kind == "c":
        return p.complex(_round(p.real(a), decimals), _round(p.imag(a), decimals))
    return _round(a, decimals)


def _round(x, decimals):
    if decimals == 0:
        return p.round(x, rounding_method=1)
    dtype = x.dtype
    x = core.convert(x, core.canonical_dtype("float32")) if dtype == "float16" else x
    factor = core.scalar_like(x, 10 ** decimals)
    out = p.div(p.round(p.mul(x, factor), rounding_method=1), factor)
    return core.convert(out, dtype) if dtype == "float16" else out


@core.jit(static_argnames=("decimals",))
def around(a, decimals=0, out=None):
    return round(a, decimals, out)


@core.jit
def nan_to_num(x, copy=True, nan=0.0, posinf=None, neginf=None):
    x = core.arraylike("nan_to_num", x)
    dtype = x.dtype
    if not _low.is_kind(dtype, "inexact"):
        return x
    if dtype.kind == "c":
        return p.complex(nan_to_num(p.real(x), nan=nan, posinf=posinf, neginf=neginf),
                         nan_to_num(p.imag(x), nan=nan, posinf=posinf, neginf=neginf))
    info = core.finfo(dtype)
    posinf = info.max if posinf is None else posinf
    neginf = info.min if neginf is None else neginf
    out = _low.where(isnan(x), asarray(nan, dtype=dtype), x)
    out = _low.where(isposinf(out), asarray(posinf, dtype=dtype), out)
    return _low.where(isneginf(out), asarray(neginf, dtype=dtype), out)


@core.jit(static_argnames=("equal_nan",))
def isclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
    a, b = core.promote("isclose", a, b)
    if core.is_key_dtype(a.dtype):
        return p.eq(a, b)
    a, b = core.promote_inexact("isclose", a, b)
    dtype = core.finfo(a.dtype).dtype if a.dtype.kind == "c" else a.dtype
    if rtol is None or atol is None:
        raise ValueError("Invalid argument to dtype: None.")
    rtol, atol = core.convert(rtol, dtype), core.convert(atol, dtype)
    both_nan = apply("logical_and", isnan(a), isnan(b))
    finite = isfinite(b)
    near = p.le(p.abs(p.sub(a, b)), p.add(atol, p.mul(rtol, p.abs(b))))
    close = apply("logical_or", p.eq(a, b), apply("logical_and", finite, near))
    return apply("logical_or", close, both_nan) if equal_nan else close


@core.jit(static_argnames=("equal_nan",))
def allclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
    core.check_arraylike("allclose", a, b)
    return all_(isclose(a, b, rtol, atol, equal_nan))


def array_equal(a1, a2, equal_nan=False):
    a1, a2 = asarray(a1), asarray(a2)
    if a1.shape != a2.shape:
        return array(False, dtype=bool)
    equal = a1 == a2
    if equal_nan:
        equal = apply("logical_or", equal, apply("logical_and", isnan(a1), isnan(a2)))
    return all_(equal)


def array_equiv(a1, a2):
    a1, a2 = asarray(a1), asarray(a2)
    try:
        equal = apply("equal", a1, a2)
    except ValueError:
        return array(False)
    return all_(equal)


@core.jit
def iscomplex(x):
    part = imag(x)
    return p.ne(part, core.scalar_like(part, 0))


@core.jit
def isreal(x):
    part = imag(x)
    return p.eq(part, core.scalar_like(part, 0))


@core.jit(static_argnames=("deg",))
def angle(z, deg=False):
    z = core.arraylike("angle", z)
    re, im = real(z), imag(z)
    if not _low.is_kind(re.dtype, "inexact") or _low.is_kind(z.dtype, "floating") and z.ndim == 0:
        dtype = core.default_float()
        re, im = core.convert(re, dtype), core.convert(im, dtype)
    result = p.atan2(im, re)
    return rad2deg(result) if deg else result


def iscomplexobj(x):
    if x is None or isinstance(x, str):
        return False
    dtype = getattr(x, "dtype", None)
    if dtype is None:
        dtype = asarray(x).dtype
    return core.issubdtype(dtype, _low.KINDS["complex"])


def isrealobj(x):
    return not iscomplexobj(x)


def isscalar(element):
    if core.is_array(element) or core.is_numpy_array(element) or hasattr(element, "__jax_array__"):
        return core.ndim(core.arraylike_value(element)) == 0
    return isinstance(element, (str, bytes)) or core.is_arraylike(element)


_KINDS = ["bool", "signed integer", "unsigned integer", "integral", "real floating", "complex floating", "numeric"]


def isdtype(dtype, kind):
    if kind is None:
        kind = core.named_dtype("float64")      # as NumPy reads None
        dtype = kind if dtype is float else dtype
    for one in kind if isinstance(kind, tuple) else (kind,):
        if isinstance(one, (list, int, float, complex)) or core.is_numpy_array(one) or isinstance(one, type) and one in _abstract():
            raise TypeError(f"Expected kind to be a dtype, string, or tuple; got kind={one!r}")
        if isinstance(one, str) and one not in _KINDS:
            if not core.names_dtype(one):
                raise ValueError(f"Unrecognized kind={one!r} expected one of {_KINDS}, or a compatible input for jnp.dtype()")
    if dtype is str:
        return any([one is str for one in (kind if isinstance(kind, tuple) else (kind,))])
    return core.isdtype(core.named_dtype("float64") if dtype is None else dtype, kind)


def _abstract():
    """NumPy's kinds of types, which are none themselves."""
    import numpy as np
    return (np.generic, np.number, np.integer, np.signedinteger, np.unsignedinteger, np.inexact, np.floating, np.complexfloating)


def issubdtype(arg1, arg2):
    arg1, arg2 = dtype_argument(arg1), dtype_argument(arg2)
    if isinstance(arg1, type) and isinstance(arg2, core.numpy_class("dtype")):
        # No kind is below a type of elements.
        arg2 = arg2.type
    return core.issubdtype(arg1, arg2)


def dtype_argument(x):
    """What stands for a dtype where arrays of JAX stand for theirs, and NumPy refuses its own."""
    if core.is_array(x):
        return x.dtype
    if x is None:
        return core.named_dtype("float64")
    if isinstance(x, (list, dict)):
        # A list of fields.
        for field in x:
            if not isinstance(field, (tuple, str)):
                raise TypeError(f"Field elements must be 2- or 3-tuples, got '{field}'")
        return core.numpy_class("void")
    if core.is_numpy_array(x):
        raise TypeError("Cannot construct a dtype from an array")
    if type(x) in (int, float, complex, bool):
        raise TypeError(f"Cannot interpret '{x}' as a data type")
    return x


def result_type(*args):
    # As NumPy reads None.
    return core.result_type(*[core.named_dtype("float64") if x is None else x for x in args])


def promote_types(a, b):
    a, b = dtype_argument(a), dtype_argument(b)
    for one in (a, b):
        if one in (object, str) or one is core.numpy_class("void"):
            shown = "'O'" if one is object else "'<U'" if one is str else "[]"
            raise ValueError(f"dtype=dtype({shown}) is not a valid dtype for JAX type promotion.")
    return core.promote_types(a, b)


def can_cast(from_, to, casting="safe"):
    import numpy as np
    if from_ is None or to is None:
        raise TypeError("did not understand one of the types; 'None' not accepted")
    return np.can_cast(from_, to, casting=casting)


def shape(a):
    if hasattr(a, "shape"):
        return a.shape
    return core.shape(_warned("shape", a))


def ndim(a):
    if hasattr(a, "ndim"):
        return a.ndim
    return core.ndim(_warned("ndim", a))


def size(a, axis=None):
    a = _warned("size", a)
    if axis is None and hasattr(a, "size"):
        return a.size
    sizes = shape(a)
    return math.prod(sizes[i] for i in _low.axis_tuple(axis, len(sizes)))


def _warned(name, a):
    """Lists are let through for now, with a warning."""
    if not core.is_arraylike(a):
        core.warn(f"{name} requires ndarray or scalar arguments, got {type(a)} at position 0."
                  " In a future JAX release this will be an error.", DeprecationWarning)
    return core.arraylike_value(a)
