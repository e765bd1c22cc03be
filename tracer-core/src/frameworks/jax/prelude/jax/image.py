"""`jax.image`: resampling as products with matrices of weights."""
import enum
import math

from _jitlens import core

from . import numpy as jnp

# Names that are there and not modelled. A name that is missing otherwise is the program's mistake.
__unmodelled__ = ()


_BY_NAME = {"nearest": 0, "linear": 1, "bilinear": 1, "trilinear": 1, "triangle": 1, "lanczos3": 2, "lanczos5": 3, "cubic": 4, "bicubic": 4,
            "tricubic": 4, "cubic-pytorch": 5, "bicubic-pytorch": 5, "area": 6}


class ResizeMethod(enum.Enum):
    """The kernels."""

    NEAREST, LINEAR, LANCZOS3, LANCZOS5, CUBIC, CUBIC_PYTORCH, AREA = range(7)

    @staticmethod
    def from_string(s):
        if s not in _BY_NAME:
            raise ValueError(f'Unknown resize method "{s}"')
        return ResizeMethod(_BY_NAME[s])


# ----------------------------------------------------------------------------------------------------------- kernels

def _lanczos(radius, x):
    y = radius * jnp.sin(math.pi * x) * jnp.sin(math.pi * x / radius)
    out = jnp.where(x > 1e-3, jnp.divide(y, jnp.where(x != 0, math.pi ** 2 * x ** 2, 1)), 1)
    return jnp.where(x > radius, 0.0, out)


def _cubic(x):
    # Keys, 1981.
    out = (1.5 * x - 2.5) * x * x + 1.0
    out = jnp.where(x >= 1.0, ((-0.5 * x + 2.5) * x - 4.0) * x + 2.0, out)
    return jnp.where(x >= 2.0, 0.0, out)


def _cubic_opencv(x):
    a = -0.75
    out = ((a + 2.0) * x - (a + 3.0)) * x * x + 1.0
    out = jnp.where(x >= 1.0, ((a * x - 5.0 * a) * x + 8.0 * a) * x - 4.0 * a, out)
    return jnp.where(x >= 2.0, 0.0, out)


def _triangle(x):
    return jnp.maximum(0, 1 - jnp.abs(x))


# method value -> (radius, kernel); the area method has its own weights.
_KERNELS = {1: (1, _triangle), 2: (3, lambda x: _lanczos(3.0, x)), 3: (5, lambda x: _lanczos(5.0, x)), 4: (2, _cubic),
            5: (2, _cubic_opencv), 6: (1, None)}


# ----------------------------------------------------------------------------------------------------------- weights

def _weights(n_in, n_out, scale, translation, kernel, antialias, edge_padding, radius):
    """The (n_in, n_out) matrix by which one axis is resampled."""
    dtype = core.result_type(scale, translation)
    inverse = 1.0 / scale
    widening = jnp.maximum(inverse, 1.0) if antialias else 1.0
    at = (jnp.arange(n_out, dtype=dtype) + 0.5) * inverse - translation * inverse - 0.5
    margin = 0
    if edge_padding:
        margin = radius
        if antialias:
            known = core.concrete(scale, "Antialiasing with edge padding requires a static scale.")
            margin = math.ceil(radius * max(1.0 / float(known), 1.0))
    sources = jnp.arange(-margin, n_in + margin, dtype=dtype)
    if kernel is None:
        weights = _overlaps(n_in, n_out, inverse, translation, dtype)
    else:
        weights = kernel(jnp.abs(at[None, :] - sources[:, None]) / widening)
    if edge_padding:
        return _normalized(_clamped(weights, sources, n_in, n_out, dtype))
    weights = _normalized(weights)
    inside = jnp.logical_and(at >= -0.5, at <= n_in - 0.5)
    return jnp.where(inside[None, :], weights, 0)


def _overlaps(n_in, n_out, inverse, translation, dtype):
    left_out = jnp.arange(n_out, dtype=dtype) * inverse - translation * inverse
    right_out = left_out + inverse
    left_in = jnp.arange(n_in, dtype=dtype)
    right_in = left_in + 1.0
    return jnp.maximum(0.0, jnp.minimum(right_out[None, :], right_in[:, None]) - jnp.maximum(left_out[None, :], left_in[:, None]))


def _clamped(weights, sources, n_in, n_out, dtype):
    """Weights outside of the image added to those of its edge."""
    from .lax._shapes import broadcast_in_dim
    rows = jnp.clip(sources.astype("int32"), 0, n_in - 1)
    columns = broadcast_in_dim(jnp.arange(n_out), (sources.shape[0], n_out), (1,))
    return jnp.zeros((n_in, n_out), dtype=dtype).at[rows[:, None], columns].add(weights)


def _normalized(weights):
    total = jnp.sum(weights, axis=0, keepdims=True)
    return jnp.where(jnp.abs(total) > 1000.0 * float(core.finfo(core.FLOAT32).eps),
                     jnp.divide(weights, jnp.where(total != 0, total, 1)), 0)


# ---------------------------------------------------------------------------------------------------------- functions

def _scale_and_translate(x, shape, axes, scale, translation, method, antialias, precision):
    if not axes:
        return x
    if method.value == 5 and antialias:
        method = ResizeMethod.CUBIC
    radius, kernel = _KERNELS[method.value]
    operands, out = [x, list(range(x.ndim))], list(range(x.ndim))
    for i, axis in enumerate(axes):
        axis = core.canonical_axis(axis, x.ndim)
        w = _weights(x.shape[axis], shape[axis], scale[i], translation[i], kernel, antialias, method.value == 5, radius)
        operands += [w.astype(x.dtype), [axis, x.ndim + i]]
        out[axis] = x.ndim + i
    return jnp.einsum(*operands, out, precision=precision)


def _check_shape(image, shape):
    if len(shape) != image.ndim:
        raise ValueError(f"shape must have length equal to the number of dimensions of x;  {shape} vs {image.shape}")


def scale_and_translate(image, shape, spatial_dims, scale, translation, method, antialias=True, precision=core.Precision.HIGHEST):
    shape = core.canonical_shape(shape)
    _check_shape(image, shape)
    if isinstance(method, str):
        method = ResizeMethod.from_string(method)
    assert isinstance(method, ResizeMethod)
    if method is ResizeMethod.NEAREST:
        raise ValueError("Nearest neighbor resampling is not currently supported for scale_and_translate.")
    image = core.promote_dtypes_inexact(image)[0]
    scale, translation = core.promote_dtypes_inexact(scale, translation)
    assert len(spatial_dims) == len(scale) and len(spatial_dims) == len(translation)
    return _scale_and_translate(image, shape, spatial_dims, scale, translation, method, antialias, precision)


def resize(image, shape, method, antialias=True, precision=core.Precision.HIGHEST):
    return _resize(image, core.canonical_shape(shape), method, antialias, precision)


@core.jit(static_argnums=(1, 2, 3, 4))
def _resize(image, shape, method, antialias, precision):
    _check_shape(image, shape)
    if isinstance(method, str):
        method = ResizeMethod.from_string(method)
    assert isinstance(method, ResizeMethod)
    axes = tuple([i for i, (n, m) in enumerate(zip(image.shape, shape)) if n != m])
    if method is ResizeMethod.NEAREST:
        return _resize_nearest(image, shape, axes)
    image = core.promote_dtypes_inexact(image)[0]
    scale = [1.0 if shape[d] == 0 else shape[d] / image.shape[d] for d in axes]
    return _scale_and_translate(image, shape, axes, scale, [0.0] * len(axes), method, antialias, precision)


def _resize_nearest(x, shape, axes):
    for d in axes:
        at = (jnp.arange(shape[d], dtype="float32") + 0.5) * x.shape[d] / shape[d]
        index = [slice(None)] * x.ndim
        index[d] = jnp.floor(at.astype("float32")).astype("int32")
        x = x[tuple(index)]
    return x
