"""`jax._src.lax.lax`: what its public module has, and constants of the type of something else."""
from _jitlens import core as _core

from jax._src._public import names as _names


def _const(example, val):
    """A constant with the type of `example`: Python's own where that is a scalar of Python's."""
    dtype = _core.dtype(example)
    if type(example) in (bool, int, float, complex) or _core.weak_type(example):
        from jax.dtypes import scalar_type_of
        scalar = type(example) if type(example) in (bool, int, float, complex) else scalar_type_of(example)
        return scalar(val)
    import numpy
    return numpy.array(val, dtype)


def _zeros(x):
    return _core.full_like(x, 0)


def _ones(x):
    return _core.full_like(x, 1)


def _zero(x):
    return _core.full_like(x, 0, None, ())


def _one(x):
    return _core.full_like(x, 1, None, ())


def _eye(dtype, shape, offset=0):
    from jax.numpy import eye
    return eye(shape[0], shape[1], offset, dtype)


def _tri(dtype, shape, offset):
    from jax.numpy import tri
    return tri(shape[0], shape[1], offset, dtype)


def _convert_element_type(operand, new_dtype=None, weak_type=False, sharding=None, warn_on_complex_to_real_cast=True):
    return _core.convert(operand, _core.dtype(operand) if new_dtype is None else new_dtype, weak_type)


__getattr__ = _names("jax._src.lax.lax", "jax.lax")
