"""Which file of the package holds which public name."""
from _jitlens import core

from . import _ufuncs

MISSING = object()

_FILES = {
    "_elementwise": "fabs positive reciprocal power pow right_shift bitwise_right_shift bitwise_count arccosh acosh rint trunc"
    " copysign signbit floor_divide divmod remainder mod fmod log2 log10 deg2rad rad2deg radians degrees conjugate conj real imag"
    " modf isfinite isinf isposinf isneginf isnan heaviside hypot sinc spacing frexp ldexp logaddexp logaddexp2 fmin fmax gcd lcm",
    "_creation": "zeros ones empty full zeros_like ones_like empty_like full_like array asarray copy astype arange linspace"
    " logspace geomspace eye identity tri tril triu meshgrid indices fromfunction diag diagonal diagflat trace vander frombuffer"
    " fromfile fromiter fromstring",
    "_reductions": "sum prod max min amax amin all any mean average var std ptp count_nonzero",
    "_nan_reductions": "nanmin nanmax nansum nanprod nanmean nanvar nanstd cumsum cumprod nancumsum nancumprod cumulative_sum"
    " cumulative_prod",
    "_manipulate": "reshape ravel transpose permute_dims matrix_transpose swapaxes moveaxis rollaxis squeeze expand_dims flip"
    " fliplr flipud rot90 roll broadcast_to broadcast_arrays broadcast_shapes resize tile atleast_1d atleast_2d atleast_3d repeat"
    " trim_zeros",
    "_join": "concatenate concat stack unstack vstack hstack dstack column_stack append block split vsplit hsplit dsplit"
    " array_split",
    "_ufunc_class": "ufunc frompyfunc",
    "_index": "where nonzero bincount flatnonzero argwhere extract take take_along_axis put_along_axis place put unravel_index"
    " ravel_multi_index compress ix_ choose select triu_indices tril_indices triu_indices_from tril_indices_from mask_indices"
    " diag_indices diag_indices_from fill_diagonal",
    "_linear": "dot matmul matvec vecmat vdot vecdot tensordot inner outer kron cross",
    "_einsum": "einsum einsum_path",
    "_sorting": "sort argsort sort_complex lexsort partition argpartition argmax argmin nanargmax nanargmin searchsorted digitize",
    "_vectorize": "vectorize apply_along_axis apply_over_axes piecewise",
    "_pad": "pad",
    "_polynomials": "roots polyfit poly polyval polyadd polysub polyint polyder polymul polydiv",
    "_sets": "unique unique_all unique_counts unique_inverse unique_values isin setdiff1d union1d setxor1d intersect1d",
    "_windows": "blackman bartlett hamming hanning kaiser",
    "_editing": "delete insert packbits unpackbits i0 mgrid ogrid r_ c_ s_ index_exp",
    "_differences": "diff ediff1d gradient trapezoid unwrap interp convolve correlate",
    "_statistics": "quantile nanquantile percentile nanpercentile median nanmedian cov corrcoef histogram_bin_edges histogram"
    " histogram2d histogramdd",
    "_rounding": "clip round around nan_to_num isclose allclose array_equal array_equiv iscomplex isreal angle iscomplexobj isrealobj"
    " isscalar isdtype issubdtype result_type promote_types can_cast shape ndim size",
}
_HOME = core.by_word(_FILES)

_CONSTANTS = {
    "pi": 3.141592653589793, "e": 2.718281828459045, "euler_gamma": 0.5772156649015329,
    "inf": float("inf"), "nan": core.nan, "newaxis": None,
}
_SCALAR_TYPES = set(
    "bool uint1 uint2 uint4 uint8 uint16 uint32 uint64 int1 int2 int4 int8 int16 int32 int64 float4_e2m1fn float6_e2m3fn float6_e3m2fn float8_e3m4 float8_e4m3"
    " float8_e8m0fnu float8_e4m3fn float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz float8_e4m3b11fnuz bfloat16 float16 float32 float64"
    " complex64 complex128".split())
_SCALAR_ALIASES = {"bool_": "bool", "single": "float32", "double": "float64", "csingle": "complex64", "cdouble": "complex128",
                   "int_": "int64", "uint": "uint64", "float_": "float64", "complex_": "complex128"}
# The abstract scalar types and other things that are NumPy's own.
_FROM_NUMPY = set("generic number inexact floating complexfloating integer signedinteger unsignedinteger character flexible object_"
                  " dtype set_printoptions get_printoptions printoptions save savez".split())
# What there is to know of an element type: classes that other modules have, too.
_LIMITS = {"finfo", "iinfo"}
_DEPRECATED = {"fix": "jax.numpy.fix was deprecated in JAX v0.9.0, and will be removed in JAX v0.10.0. Use jax.numpy.trunc instead."}


def find(name):
    """The value of a public name, or MISSING."""
    if name in _HOME:
        return getattr(_module(_HOME[name]), name)
    function = _ufuncs.make(name)
    if function is not None:
        return function
    if name in _CONSTANTS:
        return _CONSTANTS[name]
    if name in _SCALAR_TYPES or name in _SCALAR_ALIASES:
        return core.scalar_type(_SCALAR_ALIASES.get(name, name))
    if name in ("linalg", "fft"):
        return _module(name)
    if name in _FROM_NUMPY:
        import numpy
        return getattr(numpy, name)
    if name == "ndarray":
        return core.array_type()
    if name == "ComplexWarning":
        import numpy
        return numpy.exceptions.ComplexWarning
    if name in ("load", "from_dlpack", "iterable", "array_repr", "array_str"):
        return getattr(_module("_outside"), name)
    if name in _LIMITS:
        return getattr(core, name)
    return MISSING


def public():
    names = set(_HOME) | set(_ufuncs.TABLE) | set(_ufuncs.SAME) | set(_ufuncs.RENAMED)
    return names | _LIMITS | set(_CONSTANTS) | _SCALAR_TYPES | set(_SCALAR_ALIASES) | _FROM_NUMPY | {
        "linalg", "fft", "ndarray", "ComplexWarning", "load", "from_dlpack", "iterable", "array_repr", "array_str"}


def missing(name):
    if name in _DEPRECATED:
        return _DEPRECATED[name]
    return f"module 'jax.numpy' has no attribute '{name}'"


def _module(file):
    return core.import_module("." + file, __package__)
