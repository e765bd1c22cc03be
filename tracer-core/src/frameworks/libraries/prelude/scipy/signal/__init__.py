"""`scipy.signal`: of which shape and type filtered signals are."""

import numpy as np
from _jitlens import core
from _jitlens.python import unknown

from .. import _arrays
from .._arrays import floating, numbers, opaque, refuse_tracers

_others = _arrays.functions("scipy.signal", """
    abcd_normalize argrelextrema band_stop_obj besselap buttap cheb1ap cheb2ap check_COLA check_NOLA czt_points dbode dfreqresp
    dimpulse dlsim dlti dstep ellipap envelope firwin_2d gammatone iircomb kaiser_atten kaiser_beta
    kaiserord lti qspline2d test unit_impulse
    """)

_KNOWN = ("float32", "float64", "int32", "int64", "complex64", "complex128")


def _signal(x):
    x = numbers(x)
    return x if x.ndim and x.dtype.name in _KNOWN else core.unknown("a signal of these numbers")


def _overlap(n, m, mode):
    return n + m - 1 if mode == "full" else n if mode == "same" else max(n, m) - min(n, m) + 1


def _slid(name, fractions, plane=False):
    def function(in1, in2, mode="full", *args, **kwargs):
        refuse_tracers((in1, in2), {})
        a, b = _signal(in1), _signal(in2)
        if a.ndim != b.ndim or mode not in ("full", "same", "valid") or plane and a.ndim != 2 or fractions and (args or kwargs) \
                or not a.size or not b.size:
            return core.unknown(f"`scipy.signal.{name}` with these arguments")
        if mode == "valid" and not (all([n >= m for n, m in zip(a.shape, b.shape)]) or all([n <= m for n, m in zip(a.shape, b.shape)])):
            return core.unknown("signals of which neither holds the other")
        dtype = np.result_type(a.dtype, b.dtype)
        return opaque([_overlap(n, m, mode) for n, m in zip(a.shape, b.shape)], floating(dtype) if fractions else dtype)
    function.__name__ = name
    return function


convolve, correlate = _slid("convolve", False), _slid("correlate", False)
convolve2d, correlate2d = _slid("convolve2d", False, True), _slid("correlate2d", False, True)
fftconvolve, oaconvolve = _slid("fftconvolve", True), _slid("oaconvolve", True)


def _design(N, btype, analog, output):
    kind = str(btype).lower()
    if analog or output not in ("ba", "sos") or kind not in ("low", "lowpass", "high", "highpass", "band", "bandpass", "bandstop"):
        return core.unknown("a filter that is designed so")
    order = int(N) * (2 if kind.startswith("band") else 1)
    if output == "sos":
        return opaque(((order + 1) // 2, 6), "float64")
    return opaque((order + 1,), "float64"), opaque((order + 1,), "float64")


def butter(N, Wn, btype="low", analog=False, output="ba", fs=None):
    return _design(N, btype, analog, output)


def cheby1(N, rp, Wn, btype="low", analog=False, output="ba", fs=None):
    return _design(N, btype, analog, output)


def cheby2(N, rs, Wn, btype="low", analog=False, output="ba", fs=None):
    return _design(N, btype, analog, output)


def ellip(N, rp, rs, Wn, btype="low", analog=False, output="ba", fs=None):
    return _design(N, btype, analog, output)


def bessel(N, Wn, btype="low", analog=False, output="ba", norm="phase", fs=None):
    return _design(N, btype, analog, output)


def iirnotch(w0, Q, fs=2.0):
    return opaque((3,), "float64"), opaque((3,), "float64")


iirpeak = iirnotch


def firwin(numtaps, cutoff, **options):
    return opaque((int(numtaps),), "float64")


def _filtered(x, *others):
    """A signal of the type of all."""
    dtype = np.result_type(x.dtype, *[a.dtype for a in others])
    return opaque(x.shape, dtype) if dtype.name in ("float64", "complex128") else core.unknown("a filter of small numbers")


def lfilter(b, a, x, axis=-1, zi=None):
    refuse_tracers((b, a, x, zi), {})
    b, a, x = numbers(b), numbers(a), _signal(x)
    if b.ndim > 1 or a.ndim > 1:
        return core.unknown("several filters")
    if zi is None:
        return _filtered(x, b, a)
    zi = numbers(zi)
    made = _filtered(x, b, a, zi)
    return made, opaque(zi.shape, made.dtype)


def filtfilt(b, a, x, axis=-1, padtype="odd", padlen=None, method="pad", irlen=None):
    refuse_tracers((b, a, x), {})
    return _filtered(_signal(x), numbers(b), numbers(a)) if method == "pad" else core.unknown("another method of `filtfilt`")


def sosfilt(sos, x, axis=-1, zi=None):
    refuse_tracers((sos, x, zi), {})
    made = _filtered(_signal(x), numbers(sos))
    return made if zi is None else (made, opaque(numbers(zi).shape, "float64") if made.dtype.name == "float64" else unknown("", "a state"))


def sosfiltfilt(sos, x, axis=-1, padtype="odd", padlen=None):
    refuse_tracers((sos, x), {})
    return _filtered(_signal(x), numbers(sos))


def find_peaks(x, height=None, threshold=None, distance=None, prominence=None, width=None, wlen=None, rel_height=0.5, plateau_size=None):
    refuse_tracers((x,), {})
    return opaque((core.unknown_dim("peaks"),), "int64"), unknown("", "what is known of peaks")


def savgol_filter(x, window_length, polyorder, deriv=0, delta=1.0, axis=-1, mode="interp", cval=0.0):
    refuse_tracers((x,), {})
    x = _signal(x)
    return opaque(x.shape, floating(x.dtype)) if x.dtype.kind != "c" else core.unknown("a signal of complex numbers")


def savgol_coeffs(window_length, polyorder, deriv=0, delta=1.0, pos=None, use="conv"):
    return opaque((int(window_length),), "float64")


def resample(x, num, t=None, axis=0, window=None, domain="time"):
    refuse_tracers((x,), {})
    x = _signal(x)
    if t is not None or window is not None or domain != "time":
        return core.unknown("options of `resample`")
    shape = list(x.shape)
    shape[axis] = int(num)
    return opaque(shape, floating(x.dtype))


def hilbert(x, N=None, axis=-1):
    refuse_tracers((x,), {})
    x = _signal(x)
    if x.dtype.kind == "c":
        raise ValueError("x must be real.")
    shape = list(x.shape)
    if N is not None:
        shape[axis] = int(N)
    return opaque(shape, "complex64" if x.dtype.name == "float32" else "complex128")


def detrend(data, axis=-1, type="linear", bp=0, overwrite_data=False):
    refuse_tracers((data,), {})
    x = _signal(data)
    return opaque(x.shape, floating(x.dtype))


def _plain_spectrum(x, window, axis, return_onesided, nfft):
    x = _signal(x)
    if not isinstance(window, (str, tuple)) or axis != -1 or x.dtype.kind == "c" or return_onesided is not True or nfft is not None:
        return core.unknown("options of a spectrum")
    return x


def stft(x, fs=1.0, window="hann", nperseg=256, noverlap=None, nfft=None, detrend=False, return_onesided=True, boundary="zeros", padded=True,
         axis=-1, scaling="spectrum"):
    refuse_tracers((x,), {})
    x = _plain_spectrum(x, window, axis, return_onesided, nfft)
    if boundary != "zeros" or padded is not True or not core.is_static_integer(nperseg):
        return core.unknown("options of `stft`")
    segment = min(nperseg, x.shape[-1])
    overlap = segment // 2 if noverlap is None else int(noverlap)
    length = x.shape[-1] + 2 * (segment // 2)
    length += -(length - segment) % (segment - overlap) % segment
    count, times = segment // 2 + 1, (length - overlap) // (segment - overlap)
    return (opaque((count,), "float64"), opaque((times,), "float64"),
            opaque((*x.shape[:-1], count, times), "complex64" if x.dtype.name == "float32" else "complex128"))


def welch(x, fs=1.0, window="hann", nperseg=None, noverlap=None, nfft=None, detrend="constant", return_onesided=True, scaling="density",
          axis=-1, average="mean"):
    refuse_tracers((x,), {})
    x = _plain_spectrum(x, window, axis, return_onesided, nfft)
    count = min(256 if nperseg is None else int(nperseg), x.shape[-1]) // 2 + 1
    return opaque((count,), "float64"), opaque((*x.shape[:-1], count), floating(x.dtype))


def periodogram(x, fs=1.0, window="boxcar", nfft=None, detrend="constant", return_onesided=True, scaling="density", axis=-1):
    refuse_tracers((x,), {})
    x = _plain_spectrum(x, window, axis, return_onesided, nfft)
    count = x.shape[-1] // 2 + 1
    return opaque((count,), "float64"), opaque((*x.shape[:-1], count), floating(x.dtype))


def get_window(window, Nx, fftbins=True, **options):
    return core.unknown("options of `get_window`") if options else opaque((int(Nx),), "float64")


def __getattr__(name):
    if name == "windows":
        from importlib import import_module
        return import_module("scipy.signal.windows")
    return _others(name)
