"""`jax._src.numpy.reductions`: what its public module has, and which axes an argument means."""
from jax._src._public import names as _names
from jax._src.util import canonicalize_axis as _canonical

Axis = None | int | tuple[int, ...]


def _reduction_dims(a, axis):
    """The axes that an argument means, in a named mapping and out of it."""
    from jax.numpy import ndim
    if axis is None:
        axes = tuple(range(ndim(a)))
    elif isinstance(axis, (tuple, list)):
        axes = tuple([_canonical(one, ndim(a)) for one in axis])
        if len(axes) != len(set(axes)):
            raise ValueError(f"duplicate value in 'axis': {axis}")
    else:
        axes = (_canonical(axis, ndim(a)),)
    return axes, axes


__getattr__ = _names("jax._src.numpy.reductions", "jax.numpy")
