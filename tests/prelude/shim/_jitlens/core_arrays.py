"""Engine services, continued: kinds of Python values, known values, what `array()`, indexing and reductions need."""
import jax as _jax
import numpy as _np
from jax import lax as _lax
from jax._src import core as _core
from jax._src import dtypes as _dtypes
from jax._src.lax import lax as _laxi
from jax._src.numpy import util as _util

# ------------------------------------------------------------------------------------------- kinds of Python values

def is_static_integer(x):
    """Whether `x` is a Python or NumPy integer scalar, and not a bool."""
    return isinstance(x, (int, _np.integer)) and not isinstance(x, (bool, _np.bool_))


def note_out_of_bounds(index, size, update):
    """Notes for the user that a constant index is out of bounds where an element is read, or updated."""


def note_zero_gradient():
    """Notes for the user that a derivative is zero whatever the arguments."""


def note_waited():
    """Notes that the program waits for results."""


def note_fixed_key():
    """Notes for the user that a random key is made from a constant."""


def is_numpy_array(x):
    """Whether `x` is a `numpy.ndarray`."""
    return isinstance(x, _np.ndarray)


def is_scalar_or_numpy(x):
    """Whether `x` is a Python int, float or complex, a NumPy number, or a (not masked) NumPy array; not a NumPy bool."""
    return (isinstance(x, (int, float, complex, _np.number))
            or isinstance(x, _np.ndarray) and not isinstance(x, _np.ma.MaskedArray))


def makes_array(x):
    """Whether `x` is an object of the program's that has `__array__`, and not array-like for JAX."""
    return (not isinstance(x, (_np.ndarray, _np.generic)) and hasattr(type(x), "__array__")
            and not hasattr(x, "__jax_array__") and not hasattr(x, "aval"))


def numpy_dtype_of(x):
    """`numpy.dtype(type(x))` for the message about a scalar that cannot be an index: `float64` for a float."""
    return _np.dtype(type(x))


def is_key_dtype(d):
    """Whether `d` is the dtype of typed random keys."""
    return _dtypes.issubdtype(d, _dtypes.prng_key)


def arraylike_value(x):
    """`x.__jax_array__()` where there is one, else `x`."""
    method = getattr(x, "__jax_array__", None)
    return x if method is None else method()


# --------------------------------------------------------------------------------------------- for array() and indices

def stage(x):
    """A Python number or NumPy array as an array: like `asarray`, and Python bools are strong."""
    return _laxi.stage(x)


def flatten_lists(x):
    """(leaves, whether a leaf is a jax array) of nested lists and tuples; anything else is a leaf. Objects with
    `__jax_array__` become arrays. A None among them raises ValueError `None is not a valid value for jnp.array`."""
    leaves = _jax.tree_util.tree_leaves(x, is_leaf=lambda y: not isinstance(y, (list, tuple)))
    if any(leaf is None for leaf in leaves):
        raise ValueError("None is not a valid value for jnp.array")
    leaves = [arraylike_value(leaf) for leaf in leaves]
    return leaves, any(isinstance(leaf, _jax.Array) for leaf in leaves)


def lattice_dtype(xs):
    """The dtype that the array-likes `xs` promote to, a weak one as its own dtype ([1, 2.0] is float32); leaves that are
    not array-like are converted by NumPy first, with its errors."""
    try:
        return _dtypes.lattice_result_type(*xs)[0]
    except TypeError:
        def force(x):
            try:
                _dtypes.dtype(x)
                return x
            except TypeError:
                return _np.asarray(x)
        return _dtypes.lattice_result_type(*map(force, xs))[0]


def from_python(x, dtype):
    """`numpy.asarray(x, dtype)` with NumPy's errors (ragged lists, integers out of bounds); a bare Python int that does not
    fit raises OverflowError `Python int … too large to convert to {dtype}`."""
    if isinstance(x, (bool, int, float, complex)):
        _dtypes.coerce_to_array(x, dtype)
    return _np.asarray(x, dtype=dtype)


def numpy_ints(values):
    """A NumPy integer array of a tuple of ints."""
    return _np.array(values, dtype=_np.intp)


def known_scalar(x):
    """A known 0-d array-like as a Python number or NumPy scalar that can be computed with."""
    return _np.asarray(x)[()] if isinstance(x, (_jax.Array, _np.ndarray)) else x


def known_nonzero(mask):
    """`numpy.nonzero` of an array-like (or nested list) whose value is known: a tuple of NumPy integer arrays."""
    return _np.nonzero(_np.asarray(mask))


def safe_to_cast(value, target):
    """Whether writing `value` into an array like `target` keeps its kind (JAX's rule for scatters)."""
    return _dtypes.safe_to_cast(value, target)


def scatter_mode_name(mode):
    """The name of a `jax.lax.GatherScatterMode` (`"clip"`, `"fill_or_drop"`, …), None for anything else."""
    return mode.name.lower() if isinstance(mode, _lax.GatherScatterMode) else None


# -------------------------------------------------------------------------------------------------- for reductions

def supports_inf(d):
    """Whether a floating dtype has infinities (some float8 ones have none)."""
    return _dtypes.supports_inf(d)


def reduce_named(name, x, axes):
    """A `sum`, `max` or `min` over positional and named axes (strings): `jax.lax.psum` and its siblings. Other reductions
    raise NotImplementedError `Named reductions not implemented for jnp.{name}()`."""
    functions = {"sum": _lax.psum, "max": _lax.pmax, "min": _lax.pmin}
    if name not in functions:
        raise NotImplementedError(f"Named reductions not implemented for jnp.{name}()")
    return functions[name](x, axes)


def named_axis_size(name):
    """`jax.lax.axis_size`."""
    return _lax.axis_size(name)


def float0_like(x):
    """Zeros of dtype float0 with the shape of `x`: the tangent of an integer output."""
    return _laxi.full_like(x, fill_value=0, dtype=_dtypes.float0)


def numpy_int64(value):
    """`numpy.int64(value)`: the sizes of `split` equations made by `jnp.split` are NumPy integers, and print so."""
    return _np.int64(value)


def numpy_scalar(value, dtype):
    """A NumPy scalar of `dtype`."""
    return _np.array(value, dtype)[()]


def is_operand(x):
    """Whether an array combines with `x` under operators: Python numbers, NumPy arrays and scalars, arrays. (Strings, lists,
    None and the rest give NotImplemented.)"""
    return isinstance(x, (int, float, complex, _np.generic, _np.ndarray, _jax.Array))


def class_name(x):
    """The class name in messages about operands: `ArrayImpl`, or the tracer's (`JitTracer`, `JVPTracer`, …)."""
    return type(x).__name__


def isdtype(d, kind):
    """`jnp.isdtype`."""
    return _dtypes.isdtype(d, kind)


def short_type_name(x):
    """How jaxprs print the aval of `x`: `f32[2,3]`."""
    return _core.typeof(x).str_short(short_dtypes=True)


def numpy_shape(x):
    """`numpy.shape` of nested lists of anything, by their lengths."""
    shape = []
    while isinstance(x, (list, tuple)):
        shape.append(len(x))
        x = x[0]
    return tuple(shape)


def numpy_regular_shape(x):
    """`numpy.shape` of nested tuples of numbers; ValueError where they are ragged."""
    return _np.asarray(x).shape


def spacing_of_eps(d):
    """`numpy.spacing(numpy.finfo(d).eps)`."""
    return _np.spacing(_dtypes.finfo(d).eps)


def known_const_like(x, value):
    """`scalar_like` as a value that can still be computed with in Python (a NumPy scalar of `x`'s dtype) and that `power`
    takes for a known exponent."""
    return _laxi._const(x, value)


def array_type():
    """The class `jax.Array`."""
    return _jax.Array


def from_dlpack(x):
    """`jax.numpy.from_dlpack` of an object of another library."""
    return _jax.numpy.from_dlpack(x)


def plain_leaves(x):
    return None


def again(function, *args):
    return function(*args)


def is_caught():
    return True


def is_unknown(x):
    return False


def by_word(words):
    """Of a dict of texts: the key of each word in them."""
    return {word: key for key, text in words.items() for word in text.split()}


def import_module(name, package):
    """`importlib.import_module`: the (relative) module, loaded when it is not yet."""
    import importlib
    return importlib.import_module(name, package)
