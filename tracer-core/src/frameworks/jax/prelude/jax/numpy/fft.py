"""`jax.numpy.fft`."""
import operator

from _jitlens import core, prims as p

from . import _low
from ._creation import arange, array, asarray
from ._manipulate import moveaxis, roll

# Names that are there and not modelled. A name that is missing otherwise is the program's mistake.
__unmodelled__ = ()

_FFT, _IFFT, _RFFT, _IRFFT = "FFT", "IFFT", "RFFT", "IRFFT"


def _scale(sizes, name, norm):
    from ._reductions import prod
    if norm == "backward":
        return array(1)
    sizes, = core.promote_dtypes_inexact(sizes)
    inverse = name.startswith("i")
    if norm == "ortho":
        return p.sqrt(prod(sizes)) if inverse else 1 / p.sqrt(prod(sizes))
    if norm == "forward":
        return prod(sizes) if inverse else 1 / prod(sizes)
    raise ValueError(f'Invalid norm value {norm}; should be "backward","ortho" or "forward".')


def _transform(name, kind, a, s, axes, norm):
    full_name = f"jax.numpy.fft.{name}"
    a = core.arraylike(full_name, a)
    if s is not None:
        s = tuple(operator.index(size) for size in s)
        if any(size <= 0 for size in s):
            raise ValueError("Shape should be positive.")
    if s is not None and axes is not None and len(s) != len(axes):
        raise ValueError("Shape and axes have different lengths.")
    given = axes
    if axes is None:
        axes = range(a.ndim) if s is None else range(a.ndim - len(s), a.ndim)
    if len(axes) != len(set(axes)):
        raise ValueError(f"{full_name} does not support repeated axes. Got axes {axes}.")
    if given is not None:
        axes = tuple(range(a.ndim - len(axes), a.ndim))
        a = moveaxis(a, given, axes)
    if s is not None:
        from ._pad import pad
        wanted = list(a.shape)
        for axis, size in zip(axes, s):
            wanted[axis] = size
        if kind == _IRFFT:
            wanted[-1] = wanted[-1] // 2 + 1
        a = a[tuple(slice(size) for size in wanted)]
        a = pad(a, [(0, size - have) for size, have in zip(wanted, a.shape)])
    elif kind == _IRFFT:
        s = [a.shape[axis] for axis in axes[:-1]]
        if axes:
            s = s + [max(0, 2 * (a.shape[axes[-1]] - 1))]
    else:
        s = [a.shape[axis] for axis in axes]
    result = _in_parts(a, kind, tuple(s))
    if norm is not None:
        result = result * _scale(array(s, dtype=result.dtype), name, norm)
    return result if given is None else moveaxis(result, axes, given)


def _lax_fft(x, kind, lengths):
    from jax import lax
    return lax.fft(x, kind, lengths)


def _in_parts(a, kind, s):
    """The primitive takes three dimensions at most."""
    if len(s) <= 3:
        return _lax_fft(a, kind, s)
    n = 2 if len(s) == 4 else 3
    source = tuple(range(a.ndim - len(s), a.ndim - n))
    destination = tuple(range(a.ndim - len(s) + n, a.ndim))
    if kind in (_RFFT, _FFT):
        a = moveaxis(_lax_fft(a, kind, s[-n:]), source, destination)
        return moveaxis(_in_parts(a, _FFT, s[:-n]), destination, source)
    a = moveaxis(_in_parts(moveaxis(a, source, destination), _IFFT, s[:-n]), destination, source)
    return _lax_fft(a, kind, s[-n:])


def fftn(a, s=None, axes=None, norm=None):
    return _transform("fftn", _FFT, a, s, axes, norm)


def ifftn(a, s=None, axes=None, norm=None):
    return _transform("ifftn", _IFFT, a, s, axes, norm)


def rfftn(a, s=None, axes=None, norm=None):
    return _transform("rfftn", _RFFT, a, s, axes, norm)


def irfftn(a, s=None, axes=None, norm=None):
    return _transform("irfftn", _IRFFT, a, s, axes, norm)


def _one_axis(name, axis):
    if isinstance(axis, (list, tuple)):
        full_name = f"jax.numpy.fft.{name}"
        raise ValueError(f"{full_name} does not support multiple axes. Please use {full_name}n. Got axis = {axis!r}.")


def _transform_1d(name, kind, a, n, axis, norm):
    _one_axis(name, axis)
    return _transform(name, kind, a, None if n is None else [n], None if axis is None else [axis], norm)


def fft(a, n=None, axis=-1, norm=None):
    return _transform_1d("fft", _FFT, a, n, axis, norm)


def ifft(a, n=None, axis=-1, norm=None):
    return _transform_1d("ifft", _IFFT, a, n, axis, norm)


def rfft(a, n=None, axis=-1, norm=None):
    return _transform_1d("rfft", _RFFT, a, n, axis, norm)


def irfft(a, n=None, axis=-1, norm=None):
    return _transform_1d("irfft", _IRFFT, a, n, axis, norm)


def hfft(a, n=None, axis=-1, norm=None):
    from ._elementwise import conj
    a = conj(a)
    _one_axis("hfft", axis)
    size = (a.shape[axis] - 1) * 2 if n is None else n
    return _transform_1d("hfft", _IRFFT, a, n, axis, norm) * size


def ihfft(a, n=None, axis=-1, norm=None):
    from ._elementwise import conj
    _one_axis("ihfft", axis)
    a = asarray(a)
    size = a.shape[axis] if n is None else n
    return conj(_transform_1d("ihfft", _RFFT, a, n, axis, norm)) * (1 / size)


def _transform_2d(name, kind, a, s, axes, norm):
    if len(axes) != 2:
        raise ValueError(f"jax.numpy.fft.{name} only supports 2 axes. Got axes = {axes!r}.")
    return _transform(name, kind, a, s, axes, norm)


def fft2(a, s=None, axes=(-2, -1), norm=None):
    return _transform_2d("fft2", _FFT, a, s, axes, norm)


def ifft2(a, s=None, axes=(-2, -1), norm=None):
    return _transform_2d("ifft2", _IFFT, a, s, axes, norm)


def rfft2(a, s=None, axes=(-2, -1), norm=None):
    return _transform_2d("rfft2", _RFFT, a, s, axes, norm)


def irfft2(a, s=None, axes=(-2, -1), norm=None):
    return _transform_2d("irfft2", _IRFFT, a, s, axes, norm)


def _frequency_arguments(name, n, d):
    if isinstance(n, (list, tuple)):
        raise ValueError(f"The n argument of jax.numpy.fft.{name} only takes an int. Got n = {list(n)}.")
    if isinstance(d, (list, tuple)):
        raise ValueError(f"The d argument of jax.numpy.fft.{name} only takes a single value. Got d = {list(d)}.")


def fftfreq(n, d=1.0, *, dtype=None, device=None):
    dtype = dtype or core.default_float()
    _frequency_arguments("fftfreq", n, d)
    out_dtype = core.user_dtype(dtype, "astype")
    compute = core.finfo(core.to_inexact_dtype(dtype)).dtype
    i = arange(n, dtype=compute)
    k = (i + n // 2) % n - n // 2
    return core.convert(core.convert(k, compute) / array(d * n, dtype=compute), out_dtype)


def rfftfreq(n, d=1.0, *, dtype=None, device=None):
    dtype = dtype or core.default_float()
    _frequency_arguments("rfftfreq", n, d)
    k = arange(0, n // 2 + 1 if n % 2 == 0 else (n - 1) // 2 + 1, dtype=dtype)
    return k / array(d * n, dtype=dtype)


def _shifted(name, x, axes, sign):
    x = core.arraylike(name, x)
    if axes is None:
        axes = tuple(range(x.ndim))
        shift = [sign * (size // 2) for size in x.shape]
    elif isinstance(axes, int):
        shift = sign * (x.shape[axes] // 2)
    else:
        shift = [sign * (x.shape[axis] // 2) for axis in axes]
    return roll(x, shift, axes)


def fftshift(x, axes=None):
    return _shifted("fftshift", x, axes, 1)


def ifftshift(x, axes=None):
    return _shifted("ifftshift", x, axes, -1)
