"""Engine services for the prelude. This file specifies what the Rust side implements.

Words: an *array* is a jax array or a tracer; *array-like* is an array, a NumPy array or scalar, a Python scalar, or an
object with `__jax_array__`; a dtype is always a NumPy dtype (or an extended one, as of typed random keys).
"""
import functools
import math as _math
import operator as _operator

import jax as _jax
import jax.numpy as _jnp
import numpy as _np
from jax import lax as _lax
from jax._src import config as _config
from jax._src import core as _core
from jax._src import dtypes as _dtypes
from jax._src.lax import lax as _laxi
from jax._src.numpy import util as _util
from jax._src.util import canonicalize_axis as _canonicalize_axis

# ---------------------------------------------------------------------------------------------------------- errors

ConcretizationTypeError = _jax.errors.ConcretizationTypeError
NonConcreteBooleanIndexError = _jax.errors.NonConcreteBooleanIndexError
TracerArrayConversionError = _jax.errors.TracerArrayConversionError
TracerBoolConversionError = _jax.errors.TracerBoolConversionError
TracerIntegerConversionError = _jax.errors.TracerIntegerConversionError
UnexpectedTracerError = _jax.errors.UnexpectedTracerError


# --------------------------------------------------------------------------------------------------------- queries

def is_array(x):
    """Whether `x` is a jax array or a tracer (`isinstance(x, jax.Array)`)."""
    return isinstance(x, _jax.Array)


def is_tracer(x):
    """Whether `x` is a tracer."""
    return isinstance(x, _core.Tracer)


def is_concrete(x):
    """Whether the value of `x` can be read now: anything but a tracer without a known value."""
    return _core.is_concrete(x)


def is_arraylike(x):
    """Whether `x` is array-like; lists, tuples and None are not."""
    return _util._arraylike(x)


def aval(x):
    """The abstract value of an array-like: an object with `.shape`, `.dtype`, `.weak_type`, `.ndim`, `.size`."""
    return _core.typeof(x) if isinstance(x, _jax.Array) else _core.shaped_abstractify(x)


def shape(x):
    """The shape of an array-like as a tuple, without converting it."""
    return _np.shape(x)


def ndim(x):
    """The rank of an array-like, without converting it."""
    return _np.ndim(x)


def size(x):
    """The number of elements of an array-like, without converting it."""
    return _math.prod(_np.shape(x))


def dtype(x):
    """The (canonical) dtype that the array-like, scalar type or dtype `x` has as an array."""
    return _dtypes.dtype(x)


def weak_type(x):
    """Whether the array-like `x` is weakly typed; Python scalars other than bool are."""
    return _dtypes.is_weakly_typed(x)


def type_name(x):
    """How JAX prints the aval of `x`: `float32[2,3]`, as in its error messages."""
    return aval(x).str_short()


# ------------------------------------------------------------------------------------------------------ conversion

def asarray(x):
    """An array unchanged; a NumPy array or scalar as an array of its canonical dtype; a Python scalar as a weakly typed
    array (bool: strong). Anything else raises `TypeError: asarray: expected ArrayLike, got … of type …`. Under a trace the
    result of a scalar is a literal, not an equation."""
    return _laxi.asarray(x)


def constant(x, dtype=None):
    """A strong array from a NumPy array or (nested list of) Python scalars that is known now, of `dtype` when given
    (canonicalized). Under a trace: a literal when it is a scalar, else a constant of the jaxpr."""
    return _laxi.asarray(_np.asarray(x, dtype=dtype))


def check_arraylike(name, *xs):
    """Raises `TypeError: {name} requires ndarray or scalar arguments, got {type} at position {i}.` for the first of `xs`
    that is not array-like."""
    _util.check_arraylike(name, *xs)


def check_arraylike_or_none(name, *xs):
    """Like `check_arraylike` but lets None pass (`… requires ndarray, scalar, or None arguments, …`)."""
    _util.check_arraylike_or_none(name, *xs)


def arraylike(name, *xs):
    """`check_arraylike`, then `asarray` each (calling `__jax_array__` where there is one). One array for one argument, a
    tuple otherwise."""
    return _util.ensure_arraylike(name, *xs)


def convert(x, dtype=None, weak=False):
    """`convert_element_type` of an array-like to a canonical dtype and weak type (by default its own dtype and strong).
    No equation when nothing changes or when `x` is a known scalar; warns `ComplexWarning` when an imaginary part is
    dropped."""
    return _laxi._convert_element_type(x, None if dtype is None else dtype, weak)


def convert_quietly(x, dtype, weak=False):
    """`convert` without the ComplexWarning."""
    return _laxi._convert_element_type(x, dtype, weak, warn_on_complex_to_real_cast=False)


def full(shape, value, dtype=None):
    """`lax.full`: the array-like scalar `value`, converted to `dtype` (or to its own), broadcast to `shape`; one
    `broadcast_in_dim` equation of a literal, or just the literal for rank 0."""
    return _lax.full(shape, value, dtype)


def full_like(x, value, dtype=None, shape=None):
    """`lax.full_like`: like `full` with the shape and dtype (and weak type) of `x` where they are not given."""
    return _laxi.full_like(x, value, dtype, shape)


def scalar_like(x, value):
    """The scalar `value` as an array of `x`'s dtype (a literal under a trace); used for `x + 1` inside of helpers."""
    return _laxi._const(x, value)


# ------------------------------------------------------------------------------------------------------- promotion

def promote(name, *xs):
    """What binary jnp functions do to their arguments: `check_arraylike`, reject float0 and mixed key dtypes, promote
    dtypes by the lattice (equal dtypes are left), then rank-promote when at least two different nonzero ranks occur
    (`broadcast_in_dim` with leading ones). Returns a list of arrays. Incompatible shapes raise here when ranks differ,
    else in the primitive."""
    return _util.promote_args(name, *xs)


def promote_inexact(name, *xs):
    """`promote` with integers and bools going to float32."""
    return _util.promote_args_inexact(name, *xs)


def promote_numeric(name, *xs):
    """`promote` with bools going to int32."""
    return _util.promote_args_numeric(name, *xs)


def promote_complex(name, *xs):
    """`promote` with everything going to a complex dtype."""
    return _util.promote_args_complex(name, *xs)


def promote_dtypes(*xs):
    """The dtype part of `promote` alone (no checks, no rank promotion)."""
    return _util.promote_dtypes(*xs)


def promote_dtypes_inexact(*xs):
    """`promote_dtypes`, integers and bools to float32."""
    return _util.promote_dtypes_inexact(*xs)


def promote_dtypes_numeric(*xs):
    """`promote_dtypes`, bools to int32."""
    return _util.promote_dtypes_numeric(*xs)


def promote_shapes(name, *xs):
    """The rank part of `promote` alone."""
    return _util.promote_shapes(name, *xs)


def result_type(*xs, return_weak=False):
    """The dtype JAX promotes array-likes, dtypes and scalar types to; with `return_weak` a pair (dtype, weak)."""
    return _dtypes.result_type(*xs, return_weak_type_flag=return_weak)


def promote_types(a, b):
    """`jnp.promote_types`: the least upper bound of two dtypes."""
    return _dtypes.promote_types(a, b)


def canonical_dtype(d):
    """64-bit dtypes to their 32-bit ones unless x64 is enabled; no message."""
    return _dtypes.canonicalize_dtype(d, allow_extended_dtype=True)


def user_dtype(d, name):
    """Checks a `dtype=` argument of a user and returns the canonical dtype. Python scalar types give the defaults; an
    array raises ValueError; strings and objects raise TypeError `JAX only supports number, bool, and string dtypes, got
    dtype … in {name}`; 64-bit ones warn (UserWarning `Explicitly requested dtype … requested in {name} …`)."""
    return _dtypes.check_and_canonicalize_user_dtype(d, name)


def to_inexact_dtype(d):
    """Integers and bool to float32 (64-bit ones to float64); inexact ones unchanged."""
    return _dtypes.to_inexact_dtype(d)


def to_numeric_dtype(d):
    """bool to int32; others unchanged."""
    return _dtypes.to_numeric_dtype(d)


def to_complex_dtype(d):
    """complex64, or complex128 for 64-bit inexact dtypes."""
    return _dtypes.to_complex_dtype(d)


def issubdtype(d, kind):
    """`jnp.issubdtype` (knows bfloat16, float8, int4 and the extended dtypes)."""
    return _dtypes.issubdtype(d, kind)


def finfo(d):
    """`jnp.finfo` (knows the dtypes of ml_dtypes)."""
    return _dtypes.finfo(d)


def iinfo(d):
    """`jnp.iinfo`."""
    return _dtypes.iinfo(d)


def default_int():
    """int32, or int64 under x64."""
    return _dtypes.default_int_dtype()


def default_float():
    """float32, or float64 under x64."""
    return _dtypes.default_float_dtype()


def x64_enabled():
    """Whether `jax_enable_x64` is on."""
    return bool(_config.enable_x64.value)


def scalar_type(name):
    """The object behind `jnp.float32` and its siblings (`bool_`, `uint4`, `bfloat16`, …): equal to and usable as the NumPy
    dtype, has `.dtype`, and calling it gives a strong array of that dtype."""
    return getattr(_jnp, name)


# ---------------------------------------------------------------------------------------------------------- shapes

def broadcast_shapes(*shapes):
    """The broadcast shape; ValueError `Incompatible shapes for broadcasting: shapes=[…]` as `lax.broadcast_shapes`."""
    return _lax.broadcast_shapes(*shapes)


def canonical_shape(shape, context=""):
    """A user's shape (int or sequence) as a tuple of ints. Tracers and non-integers raise TypeError `Shapes must be 1D
    sequences of concrete values of integer type, got ….` with `context` appended."""
    return _core.canonicalize_shape(shape, context)


def canonical_axis(axis, ndim):
    """`axis` in `[0, ndim)` from one in `[-ndim, ndim)`; ValueError `axis {axis} is out of bounds for array of dimension
    {ndim}`; tracers raise as `operator.index` does."""
    return _canonicalize_axis(axis, ndim)


# --------------------------------------------------------------------------------------------------- concretization

def concrete(x, what=""):
    """The value of `x`: NumPy arrays and scalars unchanged, known arrays unchanged, tracers with an unknown value raise
    `ConcretizationTypeError` with `what` as its context line."""
    return _core.concrete_or_error(None, x, what)


def concrete_numpy(x, what=""):
    """Like `concrete`, as a NumPy array."""
    return _core.concrete_or_error(_np.asarray, x, what)


def concrete_int(x, what=""):
    """`int(x)` with the same error for tracers."""
    return _core.concrete_or_error(int, x, what)


def concrete_index(x, what=""):
    """`operator.index(x)` with the same error for tracers."""
    return _core.concrete_or_error(_operator.index, x, what)


def concrete_bool(x, what=""):
    """`bool(x)` with the same error for tracers."""
    return _core.concrete_or_error(bool, x, what)


def concrete_dim(x, what=""):
    """An int for a dimension size or step; tracers raise as `concrete`, non-integers as `operator.index`."""
    return _core.concrete_dim_or_error(x, what)


# -------------------------------------------------------------------------------------------------- transformations

def jit(fn=None, *, static_argnames=(), static_argnums=(), inline=False):
    """`jax.jit`. Inside of a trace it yields a `jit[name=<fn.__name__>]` equation, with `inline=True` the body's own
    equations. Usable as a decorator with and without arguments."""
    if fn is None:
        return lambda f: jit(f, static_argnames=static_argnames, static_argnums=static_argnums, inline=inline)
    kwargs = {}
    if static_argnames:
        kwargs["static_argnames"] = static_argnames
    if static_argnums:
        kwargs["static_argnums"] = static_argnums
    return _jax.jit(fn, inline=inline, **kwargs)


custom_jvp = _jax.custom_jvp   # as jax.custom_jvp
tree_flatten = _jax.tree_util.tree_flatten       # as jax.tree_util.tree_flatten
tree_unflatten = _jax.tree_util.tree_unflatten   # as jax.tree_util.tree_unflatten
tree_leaves = _jax.tree_util.tree_leaves         # as jax.tree_util.tree_leaves
tree_map = _jax.tree_util.tree_map               # as jax.tree_util.tree_map


def warn(message, category, stacklevel=3):
    """`warnings.warn` at the first user's frame."""
    import warnings
    warnings.warn(message, category, stacklevel=stacklevel)


# ------------------------------------------------------------------------------------------ parameters of primitives

def gather_dimension_numbers(offset_dims, collapsed_slice_dims, start_index_map, operand_batching_dims=(),
                             start_indices_batching_dims=()):
    """The `dimension_numbers` of `gather`."""
    return _lax.GatherDimensionNumbers(
        offset_dims=offset_dims, collapsed_slice_dims=collapsed_slice_dims, start_index_map=start_index_map,
        operand_batching_dims=operand_batching_dims, start_indices_batching_dims=start_indices_batching_dims)


def scatter_dimension_numbers(update_window_dims, inserted_window_dims, scatter_dims_to_operand_dims,
                              operand_batching_dims=(), scatter_indices_batching_dims=()):
    """The `dimension_numbers` of the scatters."""
    return _lax.ScatterDimensionNumbers(
        update_window_dims=update_window_dims, inserted_window_dims=inserted_window_dims,
        scatter_dims_to_operand_dims=scatter_dims_to_operand_dims, operand_batching_dims=operand_batching_dims,
        scatter_indices_batching_dims=scatter_indices_batching_dims)


def precision(value):
    """A user's `precision=` argument in canonical form (None, `Precision`, pair, or algorithm)."""
    return _laxi.canonicalize_precision(value)


conv_dimension_numbers = _lax.ConvDimensionNumbers

from .core_arrays import *  # noqa: E402,F401,F403  what arrays, indexing and reductions need
from .core_transforms import *  # noqa: E402,F401,F403  the services of the transformations
