"""Windows for spectra."""
from _jitlens import core, prims as p

from . import _low

_PI = 3.141592653589793


def _points(name, M):
    """(the number, 0…M-1 as floats or None where the window is all ones)"""
    M = core.concrete_int(M, f"M argument of jnp.{name}")
    return M, None if M <= 1 else _low.iota(core.default_float(), M)


def _ones(M):
    return core.full((M,), 1, core.default_float())


def blackman(M):
    M, n = _points("blackman", M)
    if n is None:
        return _ones(M)
    return 0.42 - 0.5 * p.cos(2 * _PI * n / (M - 1)) + 0.08 * p.cos(4 * _PI * n / (M - 1))


def bartlett(M):
    M, n = _points("bartlett", M)
    return _ones(M) if n is None else 1 - abs(2 * n + 1 - M) / (M - 1)


def hamming(M):
    M, n = _points("hamming", M)
    return _ones(M) if n is None else 0.54 - 0.46 * p.cos(2 * _PI * n / (M - 1))


def hanning(M):
    M, n = _points("hanning", M)
    return _ones(M) if n is None else 0.5 * (1 - p.cos(2 * _PI * n / (M - 1)))


def kaiser(M, beta):
    from ._editing import i0
    M, n = _points("kaiser", M)
    if n is None:
        return _ones(M)
    alpha = 0.5 * (M - 1)
    return i0(beta * p.sqrt(1 - ((n - alpha) / alpha) ** 2)) / i0(beta)
