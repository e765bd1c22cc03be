"""Functions of complex numbers."""

import math
from math import e, inf, nan, pi, tau

infj = complex(0.0, inf)
nanj = complex(0.0, nan)


def phase(z, /):
    z = complex(z)
    return math.atan2(z.imag, z.real)


def polar(z, /):
    return abs(complex(z)), phase(z)


def rect(r, phi, /):
    return complex(r * math.cos(phi), r * math.sin(phi))


def exp(z, /):
    z = complex(z)
    return rect(math.exp(z.real), z.imag)


def log(z, base=None, /):
    z = complex(z)
    if z == 0:
        raise ValueError("math domain error")
    value = complex(math.log(abs(z)), phase(z))
    return value if base is None else value / log(base)


def log10(z, /):
    return log(z) / math.log(10)


def sqrt(z, /):
    z = complex(z)
    if z == 0:
        return complex(0.0, z.imag)
    size = abs(z)
    re = math.sqrt((size + abs(z.real)) / 2)
    if z.real >= 0:
        return complex(re, z.imag / (2 * re))
    return complex(abs(z.imag) / (2 * re), math.copysign(re, z.imag))


def cos(z, /):
    z = complex(z)
    return complex(math.cos(z.real) * math.cosh(z.imag), -math.sin(z.real) * math.sinh(z.imag))


def sin(z, /):
    z = complex(z)
    return complex(math.sin(z.real) * math.cosh(z.imag), math.cos(z.real) * math.sinh(z.imag))


def isnan(z, /):
    z = complex(z)
    return math.isnan(z.real) or math.isnan(z.imag)


def isinf(z, /):
    z = complex(z)
    return math.isinf(z.real) or math.isinf(z.imag)


def isfinite(z, /):
    z = complex(z)
    return math.isfinite(z.real) and math.isfinite(z.imag)


def isclose(a, b, *, rel_tol=1e-09, abs_tol=0.0):
    return a == b or abs(a - b) <= max(rel_tol * max(abs(a), abs(b)), abs_tol)
