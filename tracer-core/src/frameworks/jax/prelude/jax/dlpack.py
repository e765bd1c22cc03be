"""`jax.dlpack`."""
from _jitlens import core

# Names that are there and not modelled. A name that is missing otherwise is the program's mistake.
__unmodelled__ = ()


def from_dlpack(external_array, device=None, copy=None):
    return core.asarray(core.numpy_array(external_array))


def is_supported_dtype(dtype):
    return core.dtype_kind(core.numpy_dtype(dtype)) in ("bool", "int", "float", "complex")
