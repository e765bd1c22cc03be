"""Spectra of signals by overlapping windows (Welch), and detrending; what `jax.scipy.signal` has of it."""
import math

from _jitlens import core

from .. import numpy as jnp

_COSINES = {"hann": (0.5, 0.5), "hanning": (0.5, 0.5), "han": (0.5, 0.5), "hamming": (0.54, 0.46), "hamm": (0.54, 0.46), "ham": (0.54, 0.46),
            "blackman": (0.42, 0.5, 0.08), "black": (0.42, 0.5, 0.08), "blk": (0.42, 0.5, 0.08),
            "blackmanharris": (0.35875, 0.48829, 0.14128, 0.01168), "blackharr": (0.35875, 0.48829, 0.14128, 0.01168),
            "nuttall": (0.3635819, 0.4891775, 0.1365995, 0.0106411), "nutl": (0.3635819, 0.4891775, 0.1365995, 0.0106411),
            "flattop": (0.21557895, 0.41663158, 0.277263158, 0.083578947, 0.006947368),
            "boxcar": (1.0,), "box": (1.0,), "ones": (1.0,), "rect": (1.0,), "rectangular": (1.0,)}
_OTHERS = frozenset("""triang triangle tri bartlett bart brthan parzen parz par bohman barthann bth cosine halfcosine tukey taylor exponential poisson
    lanczos sinc gaussian general_gaussian general_cosine general_hamming kaiser ksr dpss chebwin kaiser_bessel_derived""".split())


def _periodic(name, size):
    """The numbers of a window of SciPy's that are sums of cosines, over a whole period."""
    if name in _COSINES:
        terms = _COSINES[name]
        return [sum([(-1) ** k * a * math.cos(2 * math.pi * k * i / size) for k, a in enumerate(terms)]) for i in range(size)]
    if isinstance(name, tuple) or name in _OTHERS:
        return None
    raise ValueError("Unknown window type.")


def _segments(window, nperseg, length):
    if isinstance(window, (str, tuple)):
        nperseg = 256 if nperseg is None else nperseg
        if nperseg > length:
            nperseg = length
        numbers = _periodic(window, nperseg)
        if numbers is None:
            return core.unmodelled(f"jax.scipy.signal with the window {window!r}"), nperseg
        return core.numpy_array(numbers, core.named_dtype("float64")), nperseg
    window = jnp.asarray(window)
    if window.ndim != 1:
        raise ValueError("window must be 1-D")
    if length < window.shape[-1]:
        raise ValueError("window is longer than input signal")
    if nperseg is None:
        nperseg = window.shape[0]
    elif nperseg != window.shape[0]:
        raise ValueError("value specified for nperseg is different from length of window")
    return window, nperseg


def detrend(data, axis=-1, type="linear", bp=0, overwrite_data=None):
    if overwrite_data is not None:
        raise NotImplementedError("overwrite_data argument not implemented.")
    if type not in ("constant", "linear"):
        raise ValueError("Trend type must be 'linear' or 'constant'.")
    data, = core.promote_dtypes_inexact(jnp.asarray(data))
    if type == "constant":
        return data - data.mean(axis, keepdims=True)
    size = data.shape[axis]
    bp = [bp] if core.ndim(bp) == 0 else list(bp)
    ends = sorted({0, size, *[int(b) for b in bp]})
    if any([b < 0 or b > size for b in ends]):
        raise ValueError("Breakpoints must be non-negative and less than length of data along given axis.")
    data = jnp.moveaxis(data, axis, 0)
    shape = data.shape
    data = data.reshape(size, math.prod(shape[1:]))
    for start, stop in zip(ends, ends[1:]):
        ramp = jnp.vstack([jnp.ones(stop - start), jnp.arange(1, stop - start + 1) / (stop - start)], dtype=data.dtype).T
        part = data[start:stop]
        fit = jnp.linalg.lstsq(ramp, part)[0]
        data = data.at[start:stop].set(part - jnp.matmul(ramp, fit, precision=core.Precision.HIGHEST))
    return jnp.moveaxis(data.reshape(shape), 0, axis)


def sided_input(x):
    """Whether numbers are real."""
    return core.dtype_kind(x.dtype) != "complex"


def _extended(x, kind, size):
    """The last axis, longer by what is before and behind it."""
    if size < 1:
        return x
    if kind in ("even", "odd") and size > x.shape[-1] - 1:
        raise ValueError(f"The extension length n ({size}) is too big. It must not exceed x.shape[axis]-1, which is {x.shape[-1] - 1}.")
    if kind == "constant":
        left, right = jnp.repeat(x[..., :1], size, axis=-1), jnp.repeat(x[..., -1:], size, axis=-1)
    elif kind == "zeros":
        left = right = jnp.zeros((*x.shape[:-1], size), dtype=x.dtype)
    else:
        left, right = x[..., size:0:-1], x[..., -2:-size - 2:-1]
        if kind == "odd":
            left, right = 2 * x[..., :1] - left, 2 * x[..., -1:] - right
    return jnp.concatenate((left, x, right), axis=-1)


def _by_windows(x, y, fs, window, nperseg, noverlap, nfft, detrend_type, return_onesided, scaling, axis, mode, boundary, padded):
    if mode not in ("psd", "stft"):
        raise ValueError(f"Unknown value for mode {mode}, must be one of: ('psd', 'stft')")
    kinds = ("even", "odd", "constant", "zeros", None)
    if boundary not in kinds:
        raise ValueError(f"Unknown boundary option '{boundary}', must be one of: {list(kinds)}")
    if x.ndim == 0:
        raise ValueError(f"axis {axis} is out of bounds for array of dimension 0")
    axis = core.canonical_axis(axis, x.ndim)
    same = y is None
    if same:
        core.check_arraylike("spectral_helper", x)
        x, = core.promote_dtypes_inexact(x)
        outer = x.shape[:axis] + x.shape[axis + 1:]
    else:
        if mode != "psd":
            raise ValueError("two-argument mode is available only when mode=='psd'")
        core.check_arraylike("spectral_helper", x, y)
        y = jnp.asarray(y)
        if x.ndim != y.ndim:
            raise ValueError(f"two-arguments must have the same rank ({x.ndim} vs {y.ndim}).")
        x, y = core.promote_dtypes_inexact(x, y)
        outer = jnp.broadcast_shapes(x.shape[:axis] + x.shape[axis + 1:], y.shape[:axis] + y.shape[axis + 1:])
    dtype = core.to_complex_dtype(x.dtype)
    real = core.finfo(dtype).dtype
    fs = jnp.asarray(fs)
    if isinstance(window, (str, tuple)):
        _periodic(window, 1)
    if same and x.size == 0:
        shape = tuple(outer) + (min([x.shape[axis]]),)
        empty = jnp.moveaxis(jnp.zeros(shape, x.dtype), -1, axis)
        return empty, empty, empty.astype(dtype)
    if sided_input(x) and x.dtype.name in ("bfloat16", "float16"):
        raise ValueError(f"RFFT input must be float32 or float64, got {x.dtype}")
    if not same and (x.size == 0 or y.size == 0):
        shape = tuple(outer) + (min([x.shape[axis], y.shape[axis]]),)
        empty = jnp.moveaxis(jnp.zeros(shape, x.dtype), -1, axis)
        return empty, empty, empty.astype(dtype)
    x = jnp.moveaxis(x, axis, -1)
    if not same and y.ndim > 1:
        y = jnp.moveaxis(y, axis, -1)
    if not same and x.shape[-1] != y.shape[-1]:
        missing = [(0, 0)] * (x.ndim - 1) + [(0, abs(x.shape[-1] - y.shape[-1]))]
        if x.shape[-1] < y.shape[-1]:
            x = jnp.pad(x, missing)
        else:
            y = jnp.pad(y, missing)
    if nperseg is not None:
        nperseg = core.concrete_index(nperseg, "nperseg of windowed-FFT")
        if nperseg < 1:
            raise ValueError("nperseg must be a positive integer")
    win, nperseg = _segments(window, nperseg, x.shape[-1])
    if core.is_unknown(win):
        numbers = win
    else:
        numbers = jnp.array(win, dtype=dtype)
    nfft = nperseg if nfft is None else core.concrete_index(nfft, "nfft of windowed-FFT")
    if nfft < nperseg:
        raise ValueError("nfft must be greater than or equal to nperseg.")
    noverlap = nperseg // 2 if noverlap is None else core.concrete_index(noverlap, "noverlap of windowed-FFT")
    if noverlap >= nperseg:
        raise ValueError("noverlap must be less than nperseg.")
    step = nperseg - noverlap
    if boundary is not None:
        x = _extended(x, boundary, nperseg // 2)
        if not same:
            y = _extended(y, boundary, nperseg // 2)
    if padded:
        missing = (-(x.shape[-1] - nperseg) % step) % nperseg
        x = jnp.concatenate((x, jnp.zeros((*x.shape[:-1], missing), dtype=x.dtype)), axis=-1)
        if not same:
            y = jnp.concatenate((y, jnp.zeros((*y.shape[:-1], missing), dtype=y.dtype)), axis=-1)

    def without_trend(d):
        if not detrend_type:
            return d
        if isinstance(detrend_type, str):
            return detrend(d, type=detrend_type, axis=-1)
        if axis == -1 % d.ndim:
            return detrend_type(d)
        return jnp.moveaxis(detrend_type(jnp.moveaxis(d, -1, axis)), axis, -1)

    sided = "onesided" if return_onesided and not any([core.dtype_kind(core.dtype(d)) == "complex" for d in ([x] if same else [x, y])]) else "twosided"

    def transformed(d):
        starts = range(0, d.shape[-1] - nperseg + 1, step)
        parts = jnp.stack([d[..., i:i + nperseg] for i in starts], axis=-2)
        parts = without_trend(parts) * (numbers if sided == "twosided" else numbers.real)
        return (jnp.fft.rfft if sided == "onesided" else jnp.fft.fft)(parts.real if sided == "onesided" else parts, n=nfft)

    if scaling == "density":
        scale = 1.0 / (fs * (numbers * numbers).sum())
    elif scaling == "spectrum":
        scale = 1.0 / numbers.sum() ** 2
    else:
        raise ValueError(f"Unknown scaling: {scaling}")
    if mode == "stft":
        scale = jnp.sqrt(scale)
    found = transformed(x)
    if not same:
        found = jnp.conj(found) * transformed(y)
    elif mode == "psd":
        found = jnp.conj(found) * found
    found = (found * scale).astype(dtype)
    if sided == "onesided" and mode == "psd":
        end = None if nfft % 2 else -1
        found = found.at[..., 1:end].mul(2)
    freqs = (jnp.fft.rfftfreq if sided == "onesided" else jnp.fft.fftfreq)(nfft, 1 / fs)
    times = jnp.arange(nperseg / 2, x.shape[-1] - nperseg / 2 + 1, step, dtype=real) / fs
    if boundary is not None:
        times -= nperseg / 2 / fs
    found = jnp.moveaxis(found, -1, -2)
    found = jnp.moveaxis(found, -2, axis) if axis < found.ndim - 2 else found
    return freqs.astype(real), times.astype(real), found


def stft(x, fs=1.0, window="hann", nperseg=256, noverlap=None, nfft=None, detrend=False, return_onesided=True, boundary="zeros", padded=True,
         axis=-1):
    axis = core.concrete_index(axis, "axis of windowed-FFT") if not isinstance(axis, float) else core.index(axis)
    x.shape
    return _by_windows(x, None, fs, window, nperseg, noverlap, nfft, detrend, return_onesided, "spectrum", axis, "stft", boundary, padded)


def csd(x, y, fs=1.0, window="hann", nperseg=None, noverlap=None, nfft=None, detrend="constant", return_onesided=True, scaling="density", axis=-1,
        average="mean"):
    x.shape
    freqs, _, spectrum = _by_windows(x, y, fs, window, nperseg, noverlap, nfft, detrend, return_onesided, scaling, axis, "psd", None, False)
    if y is not None:
        spectrum = spectrum + 0j
    else:
        spectrum = spectrum.real
    if spectrum.ndim >= 2 and spectrum.size > 0:
        if spectrum.shape[-1] > 1:
            if average == "median":
                count = spectrum.shape[-1]
                bias = sum([1.0 / (i + 1) - 1.0 / i for i in range(2, count if count % 2 else count - 1, 2)]) + 1.0
                if core.dtype_kind(spectrum.dtype) == "complex":
                    spectrum = jnp.median(jnp.real(spectrum), axis=-1) + 1j * jnp.median(jnp.imag(spectrum), axis=-1)
                else:
                    spectrum = jnp.median(spectrum, axis=-1)
                spectrum = spectrum / bias
            elif average == "mean":
                spectrum = spectrum.mean(axis=-1)
            else:
                raise ValueError(f'average must be "median" or "mean", got {average}')
        else:
            spectrum = jnp.reshape(spectrum, spectrum.shape[:-1])
    return freqs, spectrum


def welch(x, fs=1.0, window="hann", nperseg=None, noverlap=None, nfft=None, detrend="constant", return_onesided=True, scaling="density", axis=-1,
          average="mean"):
    freqs, spectrum = csd(x, None, fs, window, nperseg, noverlap, nfft, detrend, return_onesided, scaling, axis, average)
    return freqs, spectrum.real


def istft(Zxx, fs=1.0, window="hann", nperseg=None, noverlap=None, nfft=None, input_onesided=True, boundary=True, time_axis=-1, freq_axis=-2):
    core.check_arraylike("istft", Zxx)
    Zxx, = core.promote_dtypes_inexact(jnp.asarray(Zxx))
    if Zxx.ndim < 2:
        raise ValueError("Input stft must be at least 2d!")
    freq_axis, time_axis = core.canonical_axis(freq_axis, Zxx.ndim), core.canonical_axis(time_axis, Zxx.ndim)
    if freq_axis == time_axis:
        raise ValueError("Must specify differing time and frequency axes!")
    Zxx = Zxx.astype(core.to_complex_dtype(Zxx.dtype))
    count = Zxx.shape[time_axis]
    natural = 2 * (Zxx.shape[freq_axis] - 1) if input_onesided else Zxx.shape[freq_axis]
    nperseg = natural if nperseg is None else core.concrete_index(nperseg, "nperseg: segment length of STFT") if core.ndim(nperseg) == 0 else _no_number()
    if nperseg < 1:
        raise ValueError("nperseg must be a positive integer")
    if nfft is None:
        nfft = nperseg if input_onesided and nperseg == natural + 1 else natural
        if nfft < nperseg:
            raise ValueError(f"FFT length ({nfft}) must be longer than nperseg ({nperseg}).")
    else:
        nfft = core.concrete_index(nfft, "nfft of STFT")
        if nfft < nperseg:
            raise ValueError(f"FFT length ({nfft}) must be longer than nperseg ({nperseg}).")
    noverlap = nperseg // 2 if noverlap is None else core.concrete_index(noverlap, "noverlap of STFT")
    if noverlap >= nperseg:
        raise ValueError("noverlap must be less than nperseg.")
    step = nperseg - noverlap
    others = [i for i in range(Zxx.ndim) if i not in (freq_axis, time_axis)]
    Zxx = jnp.transpose(Zxx, (*others, freq_axis, time_axis))
    if isinstance(window, (str, tuple)):
        numbers = _periodic(window, nperseg)
        win = core.unmodelled(f"jax.scipy.signal with the window {window!r}") if numbers is None else jnp.array(numbers)
    else:
        win = jnp.asarray(window)
        if win.ndim != 1:
            raise ValueError("window must be 1-D")
        if win.shape[0] != nperseg:
            raise ValueError(f"window must have length of {nperseg}")
    parts = (jnp.fft.irfft if input_onesided else jnp.fft.ifft)(Zxx, axis=-2, n=nfft)[..., :nperseg, :]
    real = core.finfo(Zxx.dtype).dtype
    win = win.astype(real)
    parts = parts * win.sum()
    length = nperseg + (count - 1) * step
    total = jnp.zeros((*parts.shape[:-2], length), parts.dtype)
    weight = jnp.zeros(length, real)
    for i in range(count):
        total = total.at[..., i * step:i * step + nperseg].add(parts[..., i] * win)
        weight = weight.at[i * step:i * step + nperseg].add(win * win)
    if boundary:
        end = -(nperseg // 2) or None
        total, weight = total[..., nperseg // 2:end], weight[nperseg // 2:end]
    total = total / jnp.where(weight > 1e-10, weight, 1.0)
    if input_onesided:
        total = total.real
    if total.ndim > 1 and time_axis != Zxx.ndim - 1:
        if freq_axis < time_axis:
            time_axis -= 1
        total = jnp.moveaxis(total, -1, time_axis)
    return jnp.arange(total.shape[0], dtype=total.real.dtype) / fs, total


def _no_number():
    raise ValueError("nperseg must be a scalar")
