"""The array API's products and views, which are those of `jax.numpy` with fewer options."""
from _jitlens import core

from .. import _creation, _linear, _low


def cross(x1, x2, /, *, axis=-1):
    x1, x2 = core.arraylike("jnp.linalg.outer", x1, x2)
    if x1.shape[axis] != 3 or x2.shape[axis] != 3:
        raise ValueError("Both input arrays must be (arrays of) 3-dimensional vectors, but they have "
                         f"x1.shape[axis]={x1.shape[axis]} and x2.shape[axis]={x2.shape[axis]}")
    return _linear.cross(x1, x2, axis=axis)


def outer(x1, x2, /):
    x1, x2 = core.arraylike("jnp.linalg.outer", x1, x2)
    if x1.ndim != 1 or x2.ndim != 1:
        raise ValueError(f"Input arrays must be one-dimensional, but they are x1.ndim={x1.ndim} x2.ndim={x2.ndim}")
    return x1[:, None] * x2[None, :]


def matrix_transpose(x, /):
    x = core.arraylike("jnp.linalg.matrix_transpose", x)
    ndim = x.ndim
    if ndim < 2:
        raise ValueError(f"matrix_transpose requires at least 2 dimensions; got ndim={ndim}")
    return _low.transpose(x, (*range(ndim - 2), ndim - 1, ndim - 2))


def vecdot(x1, x2, /, *, axis=-1, precision=None, preferred_element_type=None):
    x1, x2 = core.arraylike("jnp.linalg.vecdot", x1, x2)
    return _linear.vecdot(x1, x2, axis=axis, precision=precision, preferred_element_type=preferred_element_type)


def matmul(x1, x2, /, *, precision=None, preferred_element_type=None):
    x1, x2 = core.arraylike("jnp.linalg.matmul", x1, x2)
    return _linear.matmul(x1, x2, precision=precision, preferred_element_type=preferred_element_type)


def tensordot(x1, x2, /, *, axes=2, precision=None, preferred_element_type=None, out_sharding=None):
    x1, x2 = core.arraylike("jnp.linalg.tensordot", x1, x2)
    return _linear.tensordot(x1, x2, axes=axes, precision=precision, preferred_element_type=preferred_element_type)


def diagonal(x, /, *, offset=0):
    return _creation.diagonal(core.arraylike("jnp.linalg.diagonal", x), offset=offset, axis1=-2, axis2=-1)


def trace(x, /, *, offset=0, dtype=None):
    return _creation.trace(core.arraylike("jnp.linalg.trace", x), offset=offset, axis1=-2, axis2=-1, dtype=dtype)


def multi_dot(arrays, *, precision=None):
    from .._einsum import einsum
    arrays = list(core.arraylike("jnp.linalg.multi_dot", *arrays))
    if len(arrays) < 2:
        raise ValueError(f"multi_dot requires at least two arrays; got len(arrays)={len(arrays)}")
    shapes = [x.shape for x in arrays]
    if not (arrays[0].ndim in (1, 2) and arrays[-1].ndim in (1, 2) and all(x.ndim == 2 for x in arrays[1:-1])):
        raise ValueError("multi_dot: input arrays must all be two-dimensional, except for the first and last array which may be 1 or 2"
                         f" dimensional. Got array shapes {shapes}")
    if any(a.shape[-1] != b.shape[0] for a, b in zip(arrays, arrays[1:])):
        raise ValueError("multi_dot: last dimension of each array must match first dimension of following array. Got array shapes"
                         f" {shapes}")
    labels = [(i, i + 1) for i in range(len(arrays))]
    if arrays[0].ndim == 1:
        labels[0] = labels[0][1:]
    if arrays[-1].ndim == 1:
        labels[-1] = labels[-1][:1]
    return einsum(*[part for pair in zip(arrays, labels) for part in pair], optimize="auto", precision=precision)
