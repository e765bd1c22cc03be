"""What the samplers do to their arguments before they sample."""
from _jitlens import core

from ._keys import check_key


def float_dtype(name, dtype):
    dtype = core.user_dtype(float if dtype is None else dtype, None)
    if core.dtype_kind(dtype) != "float":
        raise ValueError(f"dtype argument to `{name}` must be a float dtype, got {dtype}")
    return dtype


def single_key(name, key):
    return check_key(name, key)[0]


def check_shape(name, shape, *parameter_shapes):
    """ValueError unless the parameters broadcast to exactly `shape`."""
    if parameter_shapes:
        if any([core.is_static_integer(n) and n < 0 for n in shape]):
            raise TypeError(f"Only non-negative indices are allowed when broadcasting static shapes, but got shape {tuple(shape)}.")
        found = core.broadcast_shapes(shape, *parameter_shapes)
        if shape != found:
            raise ValueError(f"{name} parameter shapes must be broadcast-compatible with shape argument, and the result of broadcasting the "
                             f"shapes must equal the shape argument, but got result {found} for shape argument {shape}.")


def broadcast_shape(name, shape, *parameters):
    """`shape`, or what the parameters broadcast to where it is None."""
    shapes = [core.shape(x) for x in parameters]
    if shape is None:
        return core.broadcast_shapes(*shapes) if shapes else ()
    shape = core.canonical_shape(shape)
    check_shape(name, shape, *shapes)
    return shape


def check_castable(name, dtype, *parameters):
    for x in parameters:
        if not core.safe_to_cast(x, dtype):
            raise core.TypePromotionError(f"In arguments to {name}, cannot safely cast argument of type {core.asarray(x).dtype} to {dtype}")


def optional_shape(shape):
    return None if shape is None else core.canonical_shape(shape)


def to_rank(x, rank):
    """`x` with leading axes of size one up to `rank`."""
    from ..lax._shapes import broadcast_to_rank
    return broadcast_to_rank(x, rank)
