"""What `jax.numpy` does to arguments: checks that they are arrays, and makes their types and ranks one."""
from _jitlens import core as _core

from ...numpy import _low, ndim, shape, size  # noqa: F401
from ...numpy import where as _public_where
from .._public import names as _names

promote_args = _core.promote
promote_args_complex = _core.promote_complex
promote_args_inexact = _core.promote_inexact
promote_args_numeric = _core.promote_numeric
promote_dtypes = _core.promote_dtypes
promote_dtypes_complex = _core.promote_dtypes_complex
promote_dtypes_inexact = _core.promote_dtypes_inexact
promote_dtypes_numeric = _core.promote_dtypes_numeric
promote_shapes = _core.promote_shapes


def check_arraylike(fun_name, *args, emit_warning=False, stacklevel=3):
    if not emit_warning:
        _core.check_arraylike(fun_name, *_without_texts(args))


def check_arraylike_or_none(fun_name, *args):
    _core.check_arraylike_or_none(fun_name, *_without_texts(args))


def _without_texts(args):
    """Texts are scalars, too."""
    return [0 if isinstance(x, (str, bytes)) else x for x in args]


def ensure_arraylike(fun_name, /, *args):
    check_arraylike(fun_name, *args)
    arrays = tuple([_arraylike_asarray(x) for x in args])
    return arrays[0] if len(arrays) == 1 else arrays


def ensure_arraylike_tuple(fun_name, tup):
    check_arraylike(fun_name, *tup)
    return tuple([_arraylike_asarray(x) for x in tup])


def check_no_float0s(fun_name, *args):
    if any([_core.dtype(x) == _core.float0 for x in args]):
        raise TypeError(
            f"Called {fun_name} with a float0 array. float0s do not support any operations by design because they are not"
            " compatible with non-trivial vector spaces. No implicit dtype conversion is done. You can use"
            " np.zeros_like(arr, dtype=np.float) to cast a float0 array to a regular zeros array. \n"
            "If you didn't expect to get a float0 you might have accidentally taken a gradient with respect to an integer argument.")


_check_no_float0s = check_no_float0s


def check_for_prngkeys(fun_name, *args):
    types = [_core.dtype(x) for x in args]
    if len(set(types)) > 1 and any([_core.is_key_dtype(d) for d in types]):
        raise TypeError(f"{fun_name} does not accept dtypes {', '.join(map(str, types))}.")


def _arraylike(x):
    try:
        check_arraylike("", x)
    except TypeError:
        return False
    return True


def _check_jax_array_protocol(x):
    return _core.arraylike_value(x)


def _arraylike_asarray(x):
    return _core.asarray(_core.arraylike_value(x))


def _broadcast_arrays(*args):
    return _low.broadcast_arrays(*args) if args else []


def _broadcast_to(arr, shape, sharding=None):
    arr = ensure_arraylike("broadcast_to", arr)
    if not isinstance(shape, tuple) and _core.ndim(shape) == 0:
        shape = (shape,)
    return _low.broadcast_to(arr, _core.canonical_shape(shape))


def _where(condition, x, y):
    return _public_where(condition, x, y)


__getattr__ = _names(__name__, "jax.numpy")
