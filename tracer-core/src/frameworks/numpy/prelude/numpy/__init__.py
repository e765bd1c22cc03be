"""`numpy`: its functions are those of `jax.numpy` run on NumPy's arrays, with 64-bit types and NumPy's promotion.

`core.numpy_call(function, name, args, kwargs)` does the conversion both ways; functions whose result NumPy types differently
are wrapped below.
"""
from _jitlens import core

pi = 3.141592653589793
e = 2.718281828459045
euler_gamma = 0.5772156649015329
inf = float("inf")
nan = float("nan")
newaxis = None
Inf = inf
NaN = nan

ndarray = core.numpy_class("ndarray")
dtype = core.numpy_class("dtype")

_CLASSES = set("""generic number integer signedinteger unsignedinteger inexact floating complexfloating flexible character str_ bytes_
    void object_ int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128""".split())
_ALIASES = {"bool_": "bool", "bool": "bool", "single": "float32", "double": "float64", "half": "float16", "intp": "int64",
            "int_": "int64", "uint": "uint64", "intc": "int32", "longlong": "int64", "csingle": "complex64", "cdouble": "complex128",
            "float_": "float64", "byte": "int8", "ubyte": "uint8", "short": "int16", "ushort": "uint16"}
_SUBMODULES = ("random", "linalg", "fft", "testing", "typing", "lib", "ma")
# Integers and bools are summed in 64 bits.
_WIDE = set("sum prod cumsum cumprod nansum nanprod".split())
_SAME = {"absolute": "abs", "amax": "max", "amin": "min", "product": "prod", "row_stack": "vstack", "concat": "concatenate",
         "fabs": "abs", "float_power": "power", "asfarray": "asarray", "ascontiguousarray": "asarray", "asanyarray": "asarray",
         "trapz": "trapezoid", "true_divide": "divide"}
# Functions that NumPy leaves to the methods of what it is given: an array or tracer of JAX answers itself.
_METHODS = set("""sum prod max min amax amin mean std var any all argmax argmin cumsum cumprod round around squeeze transpose
    permute_dims repeat reshape searchsorted swapaxes nonzero flip real imag moveaxis rollaxis choose take""".split())
_UNSUPPORTED = set("vectorize frompyfunc nditer genfromtxt loadtxt load fromfile save savez savez_compressed memmap".split())


def __getattr__(name):
    if name in _SUBMODULES:
        import importlib
        return importlib.import_module("numpy." + name)
    if name in _CLASSES or name in _ALIASES:
        found = core.numpy_class(_ALIASES.get(name, name))
    elif name in _UNSUPPORTED:
        return core.unknown(f"`numpy.{name}`")
    else:
        found = _function(name)
    globals()[name] = found
    return found


def _function(name):
    import jax.numpy as jnp
    inner = getattr(jnp, _SAME.get(name, name), None)
    if inner is None or name.startswith("__"):
        raise AttributeError(f"module 'numpy' has no attribute {name!r}")
    if not callable(inner):
        return inner

    leaves = name in _METHODS

    def function(*args, **kwargs):
        if leaves and args and core.is_array(args[0]):
            if name == "take" and kwargs.get("mode") is None:
                kwargs["mode"] = "raise"
            return inner(*args, **kwargs)
        return core.numpy_call(inner, name, args, kwargs)
    function.__name__ = name
    return function


def array(object, dtype=None, *, copy=True, order="K", subok=False, ndmin=0, like=None):
    out = core.numpy_array(object, dtype)
    if ndmin > out.ndim:
        out = out.reshape((1,) * (ndmin - out.ndim) + out.shape)
    return core.numpy_copy(out) if copy else out


def asarray(a, dtype=None, order=None, *, device=None, copy=None, like=None):
    return core.numpy_array(a, dtype)


ascontiguousarray = asanyarray = asarray


def copy(a, order="K", subok=False):
    return core.numpy_copy(core.numpy_array(a))


def zeros(shape, dtype=None, order="C", *, device=None, like=None):
    return core.numpy_full(shape, 0, float64_() if dtype is None else dtype)


def ones(shape, dtype=None, order="C", *, device=None, like=None):
    return core.numpy_full(shape, 1, float64_() if dtype is None else dtype)


def empty(shape, dtype=None, order="C", *, device=None, like=None):
    return core.numpy_opaque(shape, float64_() if dtype is None else dtype)


def full(shape, fill_value, dtype=None, order="C", *, device=None, like=None):
    if dtype is None:
        dtype = core.numpy_array(fill_value).dtype
    return core.numpy_full(shape, fill_value, dtype)


def float64_():
    return core.numpy_class("float64")


def prod(a, axis=None, dtype=None, out=None, keepdims=False, **kwargs):
    if axis is None and dtype is None and not keepdims and type(a) in (tuple, list) and all(type(x) is int for x in a):
        total = 1
        for x in a:
            total *= x
        return core.numpy_scalar(total, core.named_dtype("int64"))
    return _reduce("prod", a, axis, dtype, keepdims, kwargs)


def sum(a, axis=None, dtype=None, out=None, keepdims=False, **kwargs):
    return _reduce("sum", a, axis, dtype, keepdims, kwargs)


def _reduce(name, a, axis, dtype, keepdims, kwargs):
    import jax.numpy as jnp
    if core.is_array(a):
        return getattr(jnp, name)(a, axis=axis, dtype=dtype, keepdims=keepdims, **kwargs)
    a = core.numpy_array(a)
    if dtype is None and core.dtype_kind(a.dtype) in ("int", "bool"):
        dtype = core.named_dtype("uint64" if a.dtype.name[0] == "u" else "int64")
    if dtype is not None:
        kwargs["dtype"] = dtype
    return core.numpy_call(getattr(jnp, name), name, (a,), dict(axis=axis, keepdims=keepdims, **kwargs))


def cumsum(a, axis=None, dtype=None, out=None):
    import jax.numpy as jnp
    if core.is_array(a):
        return jnp.cumsum(a, axis=axis, dtype=dtype)
    a = core.numpy_array(a)
    if dtype is None and core.dtype_kind(a.dtype) in ("int", "bool"):
        dtype = core.named_dtype("int64")
    return core.numpy_call(jnp.cumsum, "cumsum", (a,), dict(axis=axis, dtype=dtype))


def array_equal(a1, a2, equal_nan=False):
    import jax.numpy as jnp
    if core.is_tracer(a1) or core.is_tracer(a2):
        return False
    return bool(core.numpy_call(jnp.array_equal, "array_equal", (a1, a2), {"equal_nan": equal_nan}))


def isscalar(x):
    return isinstance(x, (int, float, complex, str, bytes)) or core.is_numpy_scalar(x)


def shape(a):
    return core.shape(a)


def ndim(a):
    return core.ndim(a)


def size(a, axis=None):
    return core.size(a) if axis is None else core.shape(a)[axis]


def issubdtype(a, b):
    return core.issubdtype(a, b)


def finfo(d):
    return core.finfo(d)


def iinfo(d):
    return core.iinfo(d)


def set_printoptions(**options):
    pass


def seterr(**options):
    return {}


class errstate:
    def __init__(self, **options):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        return False


class printoptions(errstate):
    pass


def savez(*args, **kwargs):
    pass


save = savez_compressed = savetxt = savez


def frombuffer(buffer, dtype=None, count=-1, offset=0, *, like=None):
    kind = core.dtype(core.numpy_full((), 0, float64_() if dtype is None else dtype))
    if kind.itemsize != 1 or not isinstance(buffer, (bytes, bytearray)):
        return core.unknown("numbers in a buffer")
    values = list(buffer)[offset:]
    return core.numpy_array(values if count < 0 else values[:count], "uint8").astype(kind)
