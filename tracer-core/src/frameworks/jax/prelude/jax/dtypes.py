"""`jax.dtypes`."""
from _jitlens import core

# Names that are there and not modelled. A name that is missing otherwise is the program's mistake.
__unmodelled__ = ()

float0 = core.float0
extended = core.extended
prng_key = core.prng_key
bfloat16 = core.scalar_type_class("bfloat16")
TypePromotionError = core.TypePromotionError

finfo = core.finfo
iinfo = core.iinfo
itemsize_bits = core.itemsize_bits


def issubdtype(a, b):
    from .numpy._rounding import dtype_argument
    return core.issubdtype(dtype_argument(a), dtype_argument(b))


def scalar_type_of(x):
    """The scalar type of Python's that a value belongs to."""
    found = {"bool": bool, "int": int, "float": float, "complex": complex}.get(core.dtype_kind(core.dtype(x)))
    if found is None:
        raise TypeError(f"Invalid scalar value {x}")
    return found


def canonicalize_dtype(dtype, allow_extended_dtype=False):
    return core.canonicalize_any_dtype(dtype, allow_extended_dtype)


def result_type(*args, return_weak_type_flag=False):
    return core.result_type(*args, return_weak=return_weak_type_flag)
