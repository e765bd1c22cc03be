"""Conversions, constants and other functions of one or two lines that are more than a bind."""
from _jitlens import core, prims as p

from ..tree_util import tree_map
from ._shapes import broadcast_in_dim


def convert_element_type(operand, new_dtype):
    if new_dtype is None:
        raise ValueError("dtype must be specified.")
    return core.convert(operand, core.user_dtype(new_dtype, "convert_element_type"))


def bitcast_convert_type(operand, new_dtype):
    return p.bitcast_convert_type(operand, new_dtype=core.user_dtype(new_dtype, "bitcast_convert_type"))


def conj(x):
    return p.conj(x, input_dtype=core.dtype(x))


def integer_pow(x, y):
    hash(y)
    if not core.is_array(y) and not core.is_static_integer(y):
        if y < 0 and y != -1 or y not in (-1, 0, 1, 2, 3):
            core.check_arraylike("integer_pow", x)
            if core.trace_state_clean() and core.dtype_kind(core.dtype(x)) not in ("int", "bool"):
                y & 1       # A float has no bits, and these powers are taken by them.
        else:
            y = int(y)
    return p.integer_pow(x, y=y)


def reciprocal(x):
    return p.integer_pow(x, y=-1)


def round(x, rounding_method=core.RoundingMethod.AWAY_FROM_ZERO):
    return p.round(x, rounding_method=core.RoundingMethod(rounding_method))


def clamp(min, x, max):
    return p.clamp(min, x, max)


def select(pred, on_true, on_false):
    return p.select_n(pred, on_false, on_true)


def select_n(which, *cases):
    if len(cases) == 0:
        raise ValueError("select_n() must have at least one case")
    return p.select_n(which, *cases)


def stop_gradient(x):
    return tree_map(core.stop_gradient, x)


def reduce_precision(operand, exponent_bits, mantissa_bits):
    return p.reduce_precision(
        operand,
        exponent_bits=core.concrete_index(exponent_bits, "exponent_bits argument of lax.reduce_precision"),
        mantissa_bits=core.concrete_index(mantissa_bits, "mantissa_bits argument of lax.reduce_precision"))


def optimization_barrier(operand):
    leaves, treedef = core.tree_flatten(operand, None, 1)
    return treedef.unflatten(p.optimization_barrier(*leaves))


def betainc(a, b, x):
    return p.regularized_incomplete_beta(a, b, x)


def random_gamma_grad(a, x, *, dtype=None):
    shape = core.broadcast_shapes(a.shape, x.shape)
    a, x = [broadcast_in_dim(v, shape, list(range(v.ndim))) for v in (a, x)]
    given = a.dtype
    if given.name in ("bfloat16", "float16"):
        a, x = core.convert(a, core.FLOAT32), core.convert(x, core.FLOAT32)
        return core.convert(p.random_gamma_grad(a, x), given)
    if given != x.dtype:
        raise TypeError(f"lax.gt requires arguments to have the same dtypes, got {x.dtype}, {given}.")
    return p.random_gamma_grad(a, x)


def rng_uniform(a, b, shape):
    return p.rng_uniform(a, b, shape=tuple(shape))


def rng_bit_generator(key, shape, dtype=None, algorithm=core.RandomAlgorithm.RNG_DEFAULT, *, out_sharding=None):
    shape = core.canonical_shape(shape)
    own = (core.key_impl_of(key.dtype).key_shape if core.is_key_dtype(key.dtype) else core.shape(key))
    if own == (2,) and core.trace_state_clean():
        raise AssertionError((list(own), "IntegerType(ui32)"))
    dtype = core.UINT32 if dtype is None else core.user_dtype(dtype, "rng_bit_generator")
    if dtype.name not in ("uint8", "uint16", "uint32", "uint64"):
        raise TypeError(f"rng_bit_generator: unsupported dtype {dtype}")
    return tuple(p.rng_bit_generator(key, shape=shape, dtype=dtype, algorithm=algorithm))


def create_token(_=None):
    return p.create_token()


def after_all(*operands):
    return p.after_all(*operands)


def dce_sink(val, *, prevent_mlir_dce=False):
    tree_map(lambda x: p.dce_sink(x, prevent_mlir_dce=prevent_mlir_dce), val)


def stage(x):
    return p.stage(x)


def dtype(x):
    return core.dtype(x)


@core.jit(static_argnums=(1, 2))
def fft(x, fft_type, fft_lengths):
    kind = _fft_kind(fft_type)
    dtype = core.dtype(x)
    if kind == core.FftType.RFFT:
        if dtype.kind == "c":
            raise ValueError("only real valued inputs supported for rfft")
        x = core.convert(x, core.to_inexact_dtype(dtype))
    else:
        x = core.convert(x, core.to_complex_dtype(dtype))
    return p.fft(x, fft_type=kind, fft_lengths=tuple(fft_lengths)) if len(fft_lengths) else x


_staged_fft = fft


def fft(x, fft_type, fft_lengths):
    made = _staged_fft(x, fft_type, fft_lengths)
    if core.trace_state_clean() and len(fft_lengths):
        kind, size, length = _fft_kind(fft_type), core.shape(x)[-1], tuple(fft_lengths)[-1]
        if kind == core.FftType.RFFT and length == 0:
            raise ValueError("Cannot lower jaxpr with verifier errors:\n\ttype of return operand 0 doesn't match function result type "
                             "in function @main")
        if kind == core.FftType.IRFFT and type(size) is int and type(length) is int and 0 < length and size != length // 2 + 1:
            from .._mlir import MLIRError
            raise MLIRError("Operation creation failed:\nerror: \"fft:\"(\"fft\"): IRFFT requires innermost dimension to be compatible with "
                            f"fft_length[-1]/2+1. Got: {size} but fft_length is {length}.")
    return made


def _fft_kind(fft_type):
    if isinstance(fft_type, str):
        if fft_type.upper() in ("FFT", "IFFT", "RFFT", "IRFFT") and fft_type in (fft_type.upper(), fft_type.lower()):
            return getattr(core.FftType, fft_type.upper())
        raise ValueError(f"Unknown FFT type '{fft_type}'")
    if isinstance(fft_type, core.FftType):
        return fft_type
    raise TypeError(f"Unknown FFT type value '{fft_type}'")


def with_sharding_constraint(x, shardings):
    from .._partition import with_sharding_constraint as constrain
    return constrain(x, shardings)


def composite(decomposition, name, version=0):
    def _decorator(*args, **kwargs):
        return core.composite(decomposition, name, version, args, kwargs)
    from .._autodiff import wraps
    return wraps(decomposition)(_decorator)
