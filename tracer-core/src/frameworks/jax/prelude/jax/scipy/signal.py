"""`jax.scipy.signal`: convolutions and detrending."""
import functools

from _jitlens import core

from .. import numpy as jnp
from .._arguments import index_or_tuple
from .._vmap import vmap
from ..lax import conv_general_dilated, dynamic_slice

_SPECTRAL = frozenset("csd detrend istft stft welch".split())


def __getattr__(name):
    if name in _SPECTRAL:
        from . import _spectral
        return getattr(_spectral, name)
    raise AttributeError(f"module 'jax.scipy.signal' has no attribute {name!r}")


def convolve(in1, in2, mode="full", method="auto", precision=None):
    if method == "fft":
        return fftconvolve(in1, in2, mode=mode)
    if method not in ("direct", "auto"):
        raise ValueError(f"Got method={method!r}; expected 'auto', 'fft', or 'direct'.")
    return _convolve(in1, in2, mode, precision)


def correlate(in1, in2, mode="full", method="auto", precision=None):
    return convolve(in1, jnp.flip(in2.conj()), mode, precision=precision, method=method)


def _check_2d(name, in1, in2, boundary, fillvalue):
    if boundary != "fill" or fillvalue != 0:
        raise NotImplementedError(f"{name}() only supports boundary='fill', fillvalue=0")
    if core.ndim(in1) != 2 or core.ndim(in2) != 2:
        raise ValueError(f"{name}() only supports 2-dimensional inputs.")


def convolve2d(in1, in2, mode="full", boundary="fill", fillvalue=0, precision=None):
    _check_2d("convolve2d", in1, in2, boundary, fillvalue)
    return _convolve(in1, in2, mode, precision)


def correlate2d(in1, in2, mode="full", boundary="fill", fillvalue=0, precision=None):
    _check_2d("correlate2d", in1, in2, boundary, fillvalue)
    smaller = all([a <= b for a, b in zip(in1.shape, in2.shape)])
    if smaller and mode != "same" and not (mode == "valid" and in1.shape == in2.shape):
        found = _convolve(jnp.flip(in2), in1.conj(), mode, precision)
        return found if mode == "valid" else found.conj()
    return jnp.flip(_convolve(jnp.flip(in1), in2.conj(), mode, precision))


def _convolve(in1, in2, mode, precision):
    if mode not in ("full", "same", "valid"):
        raise ValueError("mode must be one of ['full', 'same', 'valid']")
    if in1.ndim != in2.ndim:
        raise ValueError("in1 and in2 must have the same number of dimensions")
    if in1.size == 0 or in2.size == 0:
        raise ValueError(f"zero-size arrays not supported in convolutions, got shapes {in1.shape} and {in2.shape}.")
    in1, in2 = core.promote_dtypes_inexact(in1, in2)
    larger = all([a >= b for a, b in zip(in1.shape, in2.shape)])
    smaller = all([a <= b for a, b in zip(in1.shape, in2.shape)])
    if not (larger or smaller):
        raise ValueError("One input must be smaller than the other in every dimension.")
    given = in2.shape
    if smaller:
        in1, in2 = in2, in1
    window = in2.shape
    in2 = jnp.flip(in2)
    if mode == "valid":
        padding = [(0, 0) for _ in window]
    elif mode == "same":
        padding = [(s - 1 - (g - 1) // 2, s - g + (g - 1) // 2) for s, g in zip(window, given)]
    else:
        padding = [(s - 1, s - 1) for s in window]
    found = conv_general_dilated(in1[None, None], in2[None, None], (1,) * len(window), padding, precision=precision)
    return found[0, 0]


def fftconvolve(in1, in2, mode="full", axes=None):
    core.check_arraylike("fftconvolve", in1, in2)
    in1, in2 = core.promote_dtypes_inexact(in1, in2)
    if in1.ndim != in2.ndim:
        raise ValueError("in1 and in2 should have the same dimensionality")
    if mode not in ("same", "full", "valid"):
        raise ValueError("mode must be one of ['same', 'full', 'valid']")
    call = functools.partial(_fftconvolve, mode=mode)
    if axes is None:
        return call(in1, in2)
    axes = index_or_tuple(axes)
    axes = tuple([core.canonical_axis(a, in1.ndim) for a in ((axes,) if isinstance(axes, int) else axes)])
    mapped = set(range(in1.ndim)) - set(axes)
    if any([in1.shape[i] != in2.shape[i] for i in mapped]):
        raise ValueError(f"mapped axes must have same shape; got in1.shape={in1.shape!r} in2.shape={in2.shape!r} axes={axes!r}")
    for axis in sorted(mapped):
        call = vmap(call, in_axes=axis, out_axes=axis)
    return call(in1, in2)


def _fftconvolve(in1, in2, mode):
    full = tuple([a + b - 1 for a, b in zip(in1.shape, in2.shape)])
    if mode == "valid":
        larger = all([a >= b for a, b in zip(in1.shape, in2.shape)])
        smaller = all([a <= b for a, b in zip(in1.shape, in2.shape)])
        if not (larger or smaller):
            raise ValueError("For 'valid' mode, One input must be at least as large as the other in every dimension.")
        if smaller:
            in1, in2 = in2, in1
    if all([a == 1 or b == 1 for a, b in zip(in1.shape, in2.shape)]):
        found = in1 * in2
    elif core.dtype_kind(in1.dtype) == "complex":
        found = jnp.fft.ifftn(jnp.fft.fftn(in1, full) * jnp.fft.fftn(in2, full), full)
    else:
        found = jnp.fft.irfftn(jnp.fft.rfftn(in1, full) * jnp.fft.rfftn(in2, full), full)
    if mode == "full":
        shape = full
    elif mode == "same":
        shape = in1.shape
    else:
        shape = tuple([a - b + 1 for a, b in zip(in1.shape, in2.shape)])
    return dynamic_slice(found, tuple([(f - n) // 2 for f, n in zip(full, shape)]), shape)
