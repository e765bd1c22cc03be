"""`scipy.fft`: NumPy's transforms of arrays, and the cosine and sine transforms."""

import numpy as np
from _jitlens import core

from . import _arrays
from ._arrays import numbers, opaque, refuse_tracers

_others = _arrays.functions("scipy.fft", """
    get_workers prev_fast_len register_backend set_backend set_global_backend set_workers skip_backend test
    """)

fftfreq, rfftfreq = np.fft.fftfreq, np.fft.rfftfreq


def _given(name, kwargs):
    """Options that change nothing about shapes; what else there is goes on."""
    return {key: value for key, value in kwargs.items() if key not in ("overwrite_x", "workers")}


def __getattr__(name):
    if name in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft", "fft2", "ifft2", "fftn", "ifftn", "rfft2", "irfft2", "rfftn", "irfftn",
                "fftshift", "ifftshift"):
        inner = getattr(np.fft, name)
        shift = name.endswith("shift")

        def function(x, *args, **kwargs):
            refuse_tracers((x, *args), kwargs)
            x = numbers(x)
            if not shift:
                if len(args) > 2 or kwargs.get("plan") is not None:
                    return core.unknown(f"options of `scipy.fft.{name}`")
                if x.dtype.name == "float16":
                    x = x.astype("float32")
                if x.dtype.kind == "c" and name.startswith(("rfft", "ihfft")):
                    return core.unknown(f"`scipy.fft.{name}` of complex numbers")
                kwargs = _given(name, kwargs)
            return inner(x, *args, **kwargs)
        function.__name__ = name
        globals()[name] = function
        return function
    return _others(name)


def next_fast_len(target, real=False):
    return core.unknown("a length for which transforms are fast")


def _trigonometric(name):
    def function(x, type=2, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, orthogonalize=None):
        x = numbers(x)
        if x.ndim == 0 or x.dtype.name not in ("float16", "float32", "float64", "int32", "int64", "complex64", "complex128"):
            return core.unknown(f"`scipy.fft.{name}` of these numbers")
        shape = list(x.shape)
        if n is not None:
            shape[axis] = int(n)
        return opaque(shape, "float32" if x.dtype.name == "float16" else _arrays.floating(x.dtype))
    function.__name__ = name
    return function


def _trigonometric_of_many(name):
    def function(x, type=2, s=None, axes=None, norm=None, overwrite_x=False, workers=None, *, orthogonalize=None):
        x = numbers(x)
        if s is not None or x.dtype.name not in ("float16", "float32", "float64", "int32", "int64", "complex64", "complex128"):
            return core.unknown(f"`scipy.fft.{name}` of these numbers")
        return opaque(x.shape, "float32" if x.dtype.name == "float16" else _arrays.floating(x.dtype))
    function.__name__ = name
    return function


dct, idct, dst, idst = [_trigonometric(name) for name in ("dct", "idct", "dst", "idst")]
dctn, idctn, dstn, idstn = [_trigonometric_of_many(name) for name in ("dctn", "idctn", "dstn", "idstn")]
