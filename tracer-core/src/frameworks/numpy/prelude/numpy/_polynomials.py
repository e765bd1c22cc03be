"""What `numpy` itself has for polynomials, beside what `jax.numpy` does."""
import functools

import numpy as np
from _jitlens import core


def roots(p):
    iter(p)
    p = np.atleast_1d(p)
    if p.ndim != 1:
        raise ValueError("Input must be a rank-1 array.")
    [filled] = np.nonzero(p)
    if len(filled) == 0:
        return np.array([])
    zeros = len(p) - 1 - filled[-1]
    p = p[filled[0]:filled[-1] + 1]
    if p.dtype.kind not in "fc":
        p = p.astype(float)
    if len(p) < 2:
        return np.zeros(zeros, dtype=p.dtype if len(p) > 1 else float)
    companion = np.diag(np.ones(len(p) - 2, p.dtype), -1)
    companion[0, :] = -p[1:] / p[0]
    found = np.linalg.eigvals(companion)
    return np.hstack((found, np.zeros(zeros, found.dtype)))


def poly(seq_of_zeros):
    iter(seq_of_zeros)
    zeros = np.atleast_1d(seq_of_zeros)
    if zeros.ndim == 2 and zeros.shape[0] == zeros.shape[1] and zeros.shape[0] != 0:
        zeros = np.linalg.eigvals(zeros)
    elif zeros.ndim != 1:
        raise ValueError("input must be 1d or non-empty square 2d array.")
    if len(zeros) == 0:
        return 1.0
    if zeros.dtype.kind in "bui":
        zeros = zeros.astype(float)
    found = np.ones(1, zeros.dtype)
    for zero in zeros:
        found = np.convolve(found, np.array([1, -zero], dtype=zeros.dtype))
    if found.dtype.kind == "c" and bool(np.all(np.sort(zeros) == np.sort(zeros.conjugate()))):
        return found.real.copy()
    return found


def _summed(a1, a2, function):
    a1, a2 = np.atleast_1d(a1), np.atleast_1d(a2)
    ahead = len(a2) - len(a1)
    if ahead > 0:
        a1 = np.concatenate((np.zeros(ahead, a1.dtype), a1))
    elif ahead < 0:
        a2 = np.concatenate((np.zeros(-ahead, a2.dtype), a2))
    return function(a1, a2)


def _alike(function):
    """The function with a polynomial for a result where it is given one."""
    @functools.wraps(function)
    def of_polynomials(*args, **kwargs):
        found = function(*args, **kwargs)
        if not any([isinstance(arg, poly1d) for arg in (*args, *kwargs.values())]):
            return found
        return tuple([poly1d(one) for one in found]) if isinstance(found, tuple) else poly1d(found)
    return of_polynomials


@_alike
def polyadd(a1, a2):
    return _summed(a1, a2, np.add)


@_alike
def polysub(a1, a2):
    return _summed(a1, a2, np.subtract)


def _trimmed(p):
    """Coefficients from the first one that is not zero on."""
    p = np.atleast_1d(p)
    if p.ndim > 1:
        raise ValueError("Polynomial must be 1d only.")
    p = np.trim_zeros(p, trim="f")
    return p if len(p) else np.zeros(1, p.dtype)


@_alike
def polymul(a1, a2):
    return np.convolve(_trimmed(a1), _trimmed(a2))


@_alike
def polydiv(u, v):
    u, v = np.atleast_1d(u) + 0.0, np.atleast_1d(v) + 0.0
    dtype = (u[0] + v[0]).dtype
    m, n = len(u) - 1, len(v) - 1
    scale = 1.0 / v[0]
    q = np.zeros(max(m - n + 1, 1), dtype)
    r = u.astype(dtype)
    for k in range(m - n + 1):
        d = scale * r[k]
        q[k] = d
        r[k:k + n + 1] -= d * v
    while len(r) > 1 and np.allclose(r[0], 0, rtol=1e-14):
        r = r[1:]
    return q, r


@_alike
def polyder(p, m=1):
    if m < 0:
        raise ValueError("Order of derivative must be positive (see polyint)")
    p = np.asarray(p)
    len(p)
    for _ in range(int(m)):
        p = p[:-1] * np.arange(len(p) - 1, 0, -1)
    return p


@_alike
def polyint(p, m=1, k=None):
    m = int(m)
    if m < 0:
        raise ValueError("Order of integral must be positive (see polyder)")
    k = np.atleast_1d(np.zeros(m, float) if k is None else k)
    if len(k) == 1 and m > 1:
        k = k[0] * np.ones(m, float)
    if len(k) < m:
        raise ValueError("k must be a scalar or a rank-1 array of length 1 or >m.")
    p = np.asarray(p)
    for i in range(m):
        p = np.concatenate((p / np.arange(len(p), 0, -1), [k[i]]))
    return p


def polyval(p, x):
    p = np.asarray(p)
    if isinstance(x, poly1d):
        y = 0
    else:
        x = np.asanyarray(x)
        y = np.zeros_like(x)
    for one in p:
        y = y * x + one
    return y


def polyfit(x, y, deg, rcond=None, full=False, w=None, cov=False):
    """Fits in double precision."""
    import jax.numpy as jnp
    x, y = [np.asarray(a) for a in (x, y)]
    x, y = [a.astype("complex128" if a.dtype.kind == "c" else "float64") for a in (x, y)]
    w = None if w is None else np.asarray(w).astype("float64")
    if full and not core.is_tracer(deg):
        from .linalg import least_squares
        made = core.numpy_call(jnp.polyfit, "polyfit", (x, y, deg), dict(rcond=rcond, full=full, w=w, cov=cov))
        return (made[0], *least_squares(made[1:4], len(x), int(deg) + 1), np.float64(made[4]))
    return core.numpy_call(jnp.polyfit, "polyfit", (x, y, deg), dict(rcond=rcond, full=full, w=w, cov=cov))


class poly1d:
    """A polynomial by its coefficients, the highest power first."""
    __module__ = "numpy"
    __hash__ = None

    def __init__(self, c_or_r, r=False, variable=None):
        if isinstance(c_or_r, poly1d):
            self._variable, self._coeffs = c_or_r._variable, c_or_r._coeffs
            return
        c = np.atleast_1d(poly(c_or_r) if r else c_or_r)
        if c.ndim > 1:
            raise ValueError("Polynomial must be 1d only.")
        c = np.trim_zeros(c, trim="f")
        self._coeffs = c if len(c) else np.zeros(1, c.dtype)
        self._variable = "x" if variable is None else variable

    @property
    def coeffs(self):
        return self._coeffs

    c = coef = coefficients = coeffs

    @property
    def variable(self):
        return self._variable

    @property
    def order(self):
        return len(self._coeffs) - 1

    o = order

    @property
    def roots(self):
        return roots(self._coeffs)

    r = roots

    def __call__(self, val):
        return polyval(self._coeffs, val)

    def __len__(self):
        return self.order

    def __iter__(self):
        return iter(self._coeffs)

    def __array__(self, dtype=None, copy=None):
        return np.asarray(self._coeffs, dtype)

    def __repr__(self):
        return f"poly1d({repr(self._coeffs)[6:-1]})"

    def __str__(self):
        return _written([_short(c) for c in self._coeffs.tolist()], self._variable)

    def __neg__(self):
        return poly1d(-self._coeffs)

    def __pos__(self):
        return self

    def __mul__(self, other):
        return poly1d(self._coeffs * other if np.isscalar(other) else polymul(self._coeffs, poly1d(other)._coeffs))

    __rmul__ = __mul__

    def __add__(self, other):
        return poly1d(polyadd(self._coeffs, poly1d(other)._coeffs))

    __radd__ = __add__

    def __sub__(self, other):
        return poly1d(polysub(self._coeffs, poly1d(other)._coeffs))

    def __rsub__(self, other):
        return poly1d(polysub(poly1d(other)._coeffs, self._coeffs))

    def __pow__(self, val):
        if not np.isscalar(val) or int(val) != val or val < 0:
            raise ValueError("Power to non-negative integers only.")
        made = np.ones(1, int)
        for _ in range(int(val)):
            made = polymul(self._coeffs, made)
        return poly1d(made)

    def __truediv__(self, other):
        if np.isscalar(other):
            return poly1d(self._coeffs / other)
        return polydiv(self, poly1d(other))

    def __rtruediv__(self, other):
        if np.isscalar(other):
            return poly1d(other / self._coeffs)
        return polydiv(poly1d(other), self)

    def __eq__(self, other):
        if not isinstance(other, poly1d):
            return NotImplemented
        return self._coeffs.shape == other._coeffs.shape and bool((self._coeffs == other._coeffs).all())

    def __getitem__(self, power):
        place = self.order - power
        return self._coeffs[place] if 0 <= place <= self.order else self._coeffs.dtype.type(0)

    def __setitem__(self, power, value):
        if power < 0:
            raise ValueError("Does not support negative powers.")
        if power > self.order:
            self._coeffs = np.concatenate((np.zeros(power - self.order, self._coeffs.dtype), self._coeffs))
        self._coeffs[self.order - power] = value

    def integ(self, m=1, k=0):
        return poly1d(polyint(self._coeffs, m=m, k=k))

    def deriv(self, m=1):
        return poly1d(polyder(self._coeffs, m=m))


# So many characters stand in a line of a polynomial.
_LINE = 70


def _short(c):
    """A coefficient in four digits."""
    if not isinstance(c, complex):
        return f"{c:.4g}"
    if c.imag == 0:
        return f"{c.real:.4g}"
    return f"{c.imag:.4g}j" if c.real == 0 else f"({c.real:.4g} + {c.imag:.4g}j)"


def _written(coefficients, variable):
    """The terms in one line, and their powers in the line above."""
    terms = []
    for k, text in enumerate(coefficients):
        power = len(coefficients) - 1 - k
        if text == "0" and (power or k):
            continue
        if k:
            text = " - " + text[1:] if text.startswith("-") else " + " + text
        terms.append((text + (" " + variable if power else ""), str(power) if power > 1 else None))
    lines, above, below, rest = [], "", "", ""
    for text, power in terms:
        if power is None:
            rest += text
            continue
        raised, term = " " * (len(text) - 1) + power, text + " " * (len(power) - 1)
        if max(len(above) + len(raised), len(below) + len(term)) > _LINE:
            lines += [above, below]
            above, below = raised, term
        else:
            above, below = above + raised, below + term
    return " " + "\n ".join([f"{a}\n{b}" for a, b in zip([*lines[::2], above], [*lines[1::2], below])]) + rest
