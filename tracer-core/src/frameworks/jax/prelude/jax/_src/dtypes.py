"""Dtypes under their internal name."""
from jax.dtypes import *  # noqa: F401,F403
from jax.dtypes import TypePromotionError  # noqa: F401
from jax.numpy import promote_types, result_type  # noqa: F401

from _jitlens import core as _core
from jax._src._public import names as _names


def dtype(x):
    return _core.dtype(x)


def is_weakly_typed(x):
    return _core.weak_type(x)


def to_inexact_dtype(dtype):
    return _core.to_inexact_dtype(dtype)


def to_numeric_dtype(dtype):
    return _core.to_numeric_dtype(dtype)


def to_complex_dtype(dtype):
    return _core.to_complex_dtype(dtype)


def lattice_result_type(*args):
    return _core.result_type(*args, return_weak=True)


__getattr__ = _names("jax._src.dtypes")
