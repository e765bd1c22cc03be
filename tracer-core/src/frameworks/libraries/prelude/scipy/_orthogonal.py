"""SciPy's orthogonal polynomials, from the two numbers per degree that their recurrences hold.

A family's polynomials with leading coefficient 1 obey `p[k + 1] = (x - a) * p[k] - b * p[k - 1]` with its own `a` and `b` for every `k`.
Their zeros are the eigenvalues of the matrix with `a` on its diagonal and roots of `b` beside it, polished by a step of Newton's; as in
SciPy coefficients are multiplied out from zeros, so that what should be 0 is the last bits of others here and there.
"""
import math

import numpy as np
from _jitlens import core
from _jitlens.python import unknown

from ._arrays import numbers, opaque, refuse_tracers

# Beyond this degree only shapes are told.
_MOST = 64


class _Family:
    """One family with its parameters: the recurrence, the integral of its weight, what its leading coefficients are, where it lives."""

    def __init__(self, step, total, leading, limits, stretch=1.0, shift=0.0, even=False, zeros=None):
        self._step, self.total, self.leading, self.limits = step, total, leading, limits
        self._stretch, self._shift, self._even, self._zeros = stretch, shift, even, zeros

    def step(self, k):
        a, b = self._step(k)
        return a * self._stretch + self._shift, b * self._stretch ** 2

    def zeros(self, n):
        if self._zeros is not None:
            return [x * self._stretch + self._shift for x in self._zeros(n)]
        steps = [self._step(k) for k in range(n)]
        matrix = np.diag(np.array([a for a, _ in steps]))
        if n > 1:
            beside = np.sqrt(np.array([b for _, b in steps[1:]]))
            matrix = matrix + np.diag(beside, 1) + np.diag(beside, -1)
        found = []
        for x in np.linalg.eigvalsh(matrix).tolist():
            for _ in range(2):
                value, slope, _ = _slope(steps, x)
                x -= value / slope
            found.append(x)
        if self._even:
            found = [(x - y) / 2 for x, y in zip(found, reversed(found))]
        return [x * self._stretch + self._shift for x in found]

    def weights(self, zeros):
        n = len(zeros)
        steps = [self.step(k) for k in range(n)]
        scale = self.total * math.prod([b for _, b in steps[1:]])
        return [scale / (slope * before) for _, slope, before in [_slope(steps, x) for x in zeros]]

    def value(self, n, x, leading):
        """The polynomial at an array."""
        before, value = x * 0.0, x * 0.0 + 1.0
        for k in range(n):
            a, b = self.step(k)
            before, value = value, (x - a) * value - b * before
        return value * leading


def _slope(steps, x):
    """The polynomial of these steps at a number, its derivative, and the one of a degree less."""
    before, value, slope_before, slope = 0.0, 1.0, 0.0, 0.0
    for a, b in steps:
        slope_before, slope = slope, value + (x - a) * slope - b * slope_before
        before, value = value, (x - a) * value - b * before
    return value, slope, before


def _beta(a, b):
    return math.exp(math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b))


def _jacobi_step(alpha, beta):
    def step(k):
        both = 2 * k + alpha + beta
        if k == 0:
            return (beta - alpha) / (both + 2), 0.0
        a = 0.0 if alpha == beta else (beta * beta - alpha * alpha) / (both * (both + 2))
        if k == 1:
            return a, 4 * (1 + alpha) * (1 + beta) / (both * both * (both + 1))
        return a, 4 * k * (k + alpha) * (k + beta) * (k + alpha + beta) / (both * both * (both + 1) * (both - 1))
    return step


def _of_jacobi(alpha, beta, leading, limits=(-1, 1), stretch=1.0, shift=0.0, zeros=None, total=None):
    if total is None:
        total = 2.0 ** (alpha + beta + 1) * _beta(alpha + 1, beta + 1)
    return _Family(_jacobi_step(alpha, beta), total, leading, limits, stretch, shift, alpha == beta, zeros)


def _jacobi(alpha, beta):
    if alpha <= -1 or beta <= -1:
        raise ValueError("alpha and beta must be greater than -1.")

    def leading(n):
        made = 2.0 ** -n
        for k in range(1, n + 1):
            made *= (n + alpha + beta + k) / k
        return made
    return _of_jacobi(alpha, beta, leading)


def _sh_jacobi(p, q):
    if p - q <= -1 or q <= 0:
        raise ValueError("(p - q) must be greater than -1, and q must be greater than 0.")
    return _of_jacobi(p - q, q - 1, lambda n: 1.0, (0, 1), 0.5, 0.5, total=_beta(p - q + 1, q))


def _gegenbauer(alpha):
    if not math.isfinite(alpha) or alpha <= -0.5:
        raise ValueError("`alpha` must be a finite number greater than -1/2")
    if alpha == 0:
        return None

    def leading(n):
        made = 1.0
        for k in range(n):
            made *= 2 * (alpha + k) / (k + 1)
        return made
    return _of_jacobi(alpha - 0.5, alpha - 0.5, leading)


def _genlaguerre(alpha):
    if alpha <= -1:
        raise ValueError("alpha must be > -1")
    return _Family(lambda k: (2.0 * k + 1 + alpha, k * (k + alpha)), math.gamma(alpha + 1), lambda n: (-1) ** n / math.gamma(n + 1), (0, math.inf))


def _twice_legendre(n):
    return float(math.comb(2 * n, n))


def _first_kind(n):
    return [math.sin(math.pi * k / (2 * n)) for k in range(1 - n, n, 2)]


def _second_kind(n):
    return [math.cos(math.pi * k / (n + 1)) for k in range(n, 0, -1)]


def _chebyshev(kind, leading, limits=(-1, 1), stretch=1.0, shift=0.0, scale=1.0):
    half, zeros, total = (-0.5, _first_kind, math.pi) if kind == 1 else (0.5, _second_kind, math.pi / 2)
    return _of_jacobi(half, half, leading, limits, stretch, shift, zeros, total * scale)


def _hermite(half, total, base):
    return _Family(lambda k: (0.0, k * half), math.sqrt(total), lambda n: base ** n, (-math.inf, math.inf), even=True)


# Every family: the short name of its quadrature, the names of its parameters, and what makes it of them.
FAMILIES = {
    "legendre": ("p", (), lambda: _of_jacobi(0.0, 0.0, lambda n: _twice_legendre(n) / 2.0 ** n)),
    "chebyt": ("t", (), lambda: _chebyshev(1, lambda n: 2.0 ** (n - 1) if n else 1.0)),
    "chebyu": ("u", (), lambda: _chebyshev(2, lambda n: 2.0 ** n)),
    "chebyc": ("c", (), lambda: _chebyshev(1, lambda n: 1.0 if n else 2.0, (-2, 2), 2.0, scale=2.0)),
    "chebys": ("s", (), lambda: _chebyshev(2, lambda n: 1.0, (-2, 2), 2.0, scale=2.0)),
    "laguerre": ("l", (), lambda: _genlaguerre(0.0)),
    "hermite": ("h", (), lambda: _hermite(0.5, math.pi, 2.0)),
    "hermitenorm": ("he", (), lambda: _hermite(1.0, 2 * math.pi, 1.0)),
    "genlaguerre": ("la", ("alpha",), _genlaguerre),
    "gegenbauer": ("cg", ("alpha",), _gegenbauer),
    "jacobi": ("j", ("alpha", "beta"), _jacobi),
    "sh_legendre": ("ps", (), lambda: _of_jacobi(0.0, 0.0, _twice_legendre, (0, 1), 0.5, 0.5, total=1.0)),
    "sh_chebyt": ("ts", (), lambda: _chebyshev(1, lambda n: 4.0 ** n / 2 if n else 1.0, (0, 1), 0.5, 0.5)),
    "sh_chebyu": ("us", (), lambda: _chebyshev(2, lambda n: 4.0 ** n, (0, 1), 0.5, 0.5, scale=0.25)),
    "sh_jacobi": ("js", ("p", "q"), _sh_jacobi),
}


def _known(n, parameters):
    """Whether a degree and parameters are numbers that a polynomial can be computed of."""
    return type(n) is int and 0 <= n <= _MOST and all([type(one) in (int, float) for one in parameters])


def _plain(value):
    """NumPy's scalars as numbers of Python's."""
    if core.is_numpy_scalar(value) or core.is_numpy_array(value) and value.ndim == 0:
        return value.item()
    return value


def _family(make, parameters):
    return make(*[float(one) for one in parameters])


def _named(name, function):
    function.__name__ = function.__qualname__ = name
    return function


def polynomials(name):
    """`legendre` and its like."""
    _, named, make = FAMILIES[name]

    def function(n, *parameters, monic=False, **kwargs):
        refuse_tracers((n, parameters), kwargs)
        parameters, monic = _arguments(named, parameters, kwargs, "monic", monic)
        n = _plain(n)
        if n < 0:
            raise ValueError("n must be nonnegative.")
        if int(n) != n:
            raise ValueError("n must be a positive integer.")
        n = int(n)
        return orthopoly1d(n, _family(make, parameters) if _known(n, parameters) else None, monic)
    return _named(name, function)


def quadrature(name):
    """`roots_legendre` and its like: the zeros, and what each counts."""
    _, named, make = FAMILIES[name]

    def function(n, *parameters, mu=False, **kwargs):
        refuse_tracers((n, parameters), kwargs)
        parameters, mu = _arguments(named, parameters, kwargs, "mu", mu)
        n = _plain(n)
        if int(n) < 1 or int(n) != n:
            raise ValueError("n must be a positive integer.")
        n = int(n)
        family = _family(make, parameters) if _known(n, parameters) else None
        if family is None:
            found = opaque((n,), "float64"), opaque((n,), "float64")
            return (*found, unknown("float", "the sum of the weights")) if mu else found
        zeros = family.zeros(n)
        found = np.array(zeros), np.array(family.weights(zeros))
        return (*found, family.total) if mu else found
    return _named("roots_" + name, function)


def _arguments(named, given, kwargs, last, value):
    """The parameters of a family in their order, and the option behind them, however they were handed over."""
    given = list(given)
    for name in named[len(given):]:
        if name not in kwargs:
            raise TypeError(f"missing 1 required positional argument: '{name}'")
        given.append(kwargs.pop(name))
    if len(given) > len(named):
        value = given[len(named)]
    return [_plain(one) for one in given[:len(named)]], value


def evaluated(name, n, parameters, x):
    """The values of `eval_legendre` and its like at an array; None where they are not known."""
    found = FAMILIES.get(name[5:]) if name.startswith("eval_") else None
    if found is None or not _known(n, parameters):
        return None
    family = _family(found[2], parameters)
    return None if family is None else family.value(n, x, family.leading(n))


class orthopoly1d(np.poly1d):
    __module__ = "scipy.special._orthogonal"

    def __init__(self, n, family, monic):
        self._variable, self._degree, self._family = "x", n, family
        if family is None:
            self._coeffs, self._weights = opaque((n + 1,), "float64"), opaque((n, 3) if n else (0,), "float64")
            return
        self._leading = 1.0 if monic else family.leading(n)
        made = [1.0]
        zeros = family.zeros(n) if n else []
        for zero in zeros:
            made = [one - zero * before for one, before in zip(made + [0.0], [0.0] + made)]
        self._coeffs = np.array([one * self._leading for one in made])
        self._zeros = zeros

    @property
    def weights(self):
        family, n = self._family, self._degree
        if family is None:
            return self._weights
        if n == 0:
            return np.array([])
        counts = np.array(family.weights(self._zeros))
        return np.stack([np.array(self._zeros), counts, opaque((n,), "float64")], axis=1)

    @property
    def limits(self):
        return core.unknown("where a polynomial lives") if self._family is None else self._family.limits

    @property
    def normcoef(self):
        family, n = self._family, self._degree
        if family is None or n == 0:
            return unknown("", "a factor of a polynomial")
        return abs(self._leading) * np.sqrt(family.total * math.prod([family.step(k)[1] for k in range(1, n + 1)]))

    @property
    def weight_func(self):
        return core.unknown("the weight of a family of polynomials")

    def __call__(self, v):
        refuse_tracers((v,), {})
        if isinstance(v, np.poly1d):
            return np.poly1d.__call__(self, v)
        x = numbers(v)
        if x.dtype.name == "complex64":
            dtype = "complex64" if x.ndim else core.unknown("of small numbers")
        else:
            dtype = "complex128" if x.dtype.kind == "c" else "float64"
        if self._family is None:
            return opaque(x.shape, dtype)
        return self._family.value(self._degree, x.astype(dtype), self._leading)[()]
