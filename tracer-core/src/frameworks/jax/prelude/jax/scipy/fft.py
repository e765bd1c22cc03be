"""`jax.scipy.fft`: cosine transforms."""
import math

from _jitlens import core

from .. import numpy as jnp


def _resized(x, n, axis):
    """So many numbers along an axis: zeros are added behind, or the last ones taken away."""
    own = x.shape[axis]
    if n <= own:
        return jnp.moveaxis(jnp.moveaxis(x, axis, 0)[:n], 0, axis)
    widths = [(0, 0)] * x.ndim
    widths[axis] = (0, n - own)
    return jnp.pad(x, widths)


def _prepared(name, x, type, n, axis):
    if type != 2:
        raise NotImplementedError("Only DCT type 2 is implemented.")
    core.check_arraylike(name, x)
    x = jnp.asarray(x)
    axis = core.canonical_axis(axis, x.ndim)
    x = x.astype(jnp.result_type(x.dtype, jnp.float32)) if core.dtype_kind(x.dtype) != "complex" else x
    return (x if n is None else _resized(x, core.index(n), axis)), axis


def _parts(transform, x):
    """A real transform of complex numbers: of both parts."""
    if core.dtype_kind(x.dtype) == "complex":
        return transform(x.real) + 1j * transform(x.imag)
    return transform(x)


def _turns(n, dtype):
    return jnp.exp(-1j * math.pi * jnp.arange(n) / (2 * n)).astype(core.to_complex_dtype(dtype))


def _scales(n, dtype):
    """What `norm="ortho"` multiplies with."""
    return jnp.where(jnp.arange(n) == 0, math.sqrt(1 / (4 * max(n, 1))), math.sqrt(1 / (2 * max(n, 1)))).astype(dtype)


def dct(x, type=2, n=None, axis=-1, norm=None):
    x, axis = _prepared("dct", x, type, n, axis)

    def transform(x):
        x = jnp.moveaxis(x, axis, -1)
        n = x.shape[-1]
        folded = jnp.concatenate([x[..., ::2], x[..., 1::2][..., ::-1]], axis=-1)
        out = 2 * (jnp.fft.fft(folded) * _turns(n, x.dtype)).real
        return jnp.moveaxis(out * _scales(n, x.dtype) if norm == "ortho" else out, -1, axis)
    return _parts(transform, x)


def idct(x, type=2, n=None, axis=-1, norm=None):
    x, axis = _prepared("idct", x, type, n, axis)

    def transform(x):
        x = jnp.moveaxis(x, axis, -1)
        n = x.shape[-1]
        x = x / _scales(n, x.dtype) if norm == "ortho" else x
        backward = jnp.concatenate([jnp.zeros_like(x[..., :1]), x[..., 1:][..., ::-1]], axis=-1)
        folded = jnp.fft.ifft((x - 1j * backward) / 2 / _turns(n, x.dtype)).real
        half = (n + 1) // 2
        out = jnp.zeros_like(folded).at[..., ::2].set(folded[..., :half]).at[..., 1::2].set(folded[..., half:][..., ::-1])
        return jnp.moveaxis(out, -1, axis)
    return _parts(transform, x)


def _over_axes(name, one):
    def function(x, type=2, s=None, axes=None, norm=None):
        core.check_arraylike(name, x)
        x = jnp.asarray(x)
        if axes is None:
            axes = range(x.ndim) if s is None or core.is_static_integer(s) else range(x.ndim - len(s), x.ndim)
        if s is not None and not core.is_static_integer(s) and len(s) > x.ndim:
            raise ValueError(f"s must have at most x.ndim ({x.ndim}) elements, got {len(s)}")
        axes = [axes] if core.is_static_integer(axes) else list(axes)
        sizes = [None] * len(axes) if s is None else [s] * len(axes) if core.is_static_integer(s) else list(s)
        if len(sizes) != len(axes):
            raise ValueError("Shape and axes have different lengths.")
        if type != 2:
            raise NotImplementedError("Only DCT type 2 is implemented.")
        for axis, n in zip(axes, sizes):
            x = one(x, type, n, axis, norm)
        return x
    function.__name__ = name
    return function


dctn, idctn = _over_axes("dctn", dct), _over_axes("idctn", idct)
