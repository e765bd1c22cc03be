"""The classes of series: `Polynomial`, `Chebyshev` and the others."""
import numpy as np

from . import polyutils as pu


class ABCPolyBase:
    __hash__ = None
    __array_ufunc__ = None
    maxpower = 100
    domain = window = _basis = None

    def __init__(self, coef, domain=None, window=None, symbol="x"):
        [coef] = pu.as_series([coef], trim=False)
        self.coef = coef
        for name, given in (("domain", domain), ("window", window)):
            if given is not None:
                [given] = pu.as_series([given], trim=False)
                if len(given) != 2:
                    raise ValueError(f"{name.capitalize()} has wrong number of elements.")
                setattr(self, name, given)
        if not isinstance(symbol, str):
            raise TypeError("Symbol must be a non-empty string")
        if not symbol.isidentifier():
            raise ValueError("Symbol string must be a valid Python identifier")
        self._symbol = symbol

    @property
    def symbol(self):
        return self._symbol

    def _like(self, coef):
        return self.__class__(coef, self.domain, self.window, self.symbol)

    def _coefficients(self, other):
        if not isinstance(other, ABCPolyBase):
            return other
        if not isinstance(other, self.__class__):
            raise TypeError("Polynomial types differ")
        if not np.all(self.domain == other.domain):
            raise TypeError("Domains differ")
        if not np.all(self.window == other.window):
            raise TypeError("Windows differ")
        if self.symbol != other.symbol:
            raise ValueError("Polynomial symbols differ")
        return other.coef

    def has_samecoef(self, other):
        return len(self.coef) == len(other.coef) and bool(np.all(self.coef == other.coef))

    def has_samedomain(self, other):
        return bool(np.all(self.domain == other.domain))

    def has_samewindow(self, other):
        return bool(np.all(self.window == other.window))

    def has_sametype(self, other):
        return isinstance(other, self.__class__)

    def __call__(self, arg):
        return self._basis.val(pu.mapdomain(arg, self.domain, self.window), self.coef)

    def __iter__(self):
        return iter(self.coef)

    def __len__(self):
        return len(self.coef)

    def __neg__(self):
        return self._like(-self.coef)

    def __pos__(self):
        return self

    def __add__(self, other):
        return self._like(pu.add(self.coef, self._coefficients(other)))

    def __sub__(self, other):
        return self._like(pu.sub(self.coef, self._coefficients(other)))

    def __mul__(self, other):
        return self._like(self._basis.mul(self.coef, self._coefficients(other)))

    def __truediv__(self, other):
        if isinstance(other, bool) or not isinstance(other, (int, float, complex, np.number)):
            raise TypeError(f"unsupported types for true division: '{type(self)}', '{type(other)}'")
        return self.__floordiv__(other)

    def __floordiv__(self, other):
        return divmod(self, other)[0]

    def __mod__(self, other):
        return divmod(self, other)[1]

    def __divmod__(self, other):
        quotient, rest = self._basis.div(self.coef, self._coefficients(other))
        return self._like(quotient), self._like(rest)

    def __pow__(self, other):
        return self._like(self._basis.pow(self.coef, other, maxpower=self.maxpower))

    def __radd__(self, other):
        return self._like(pu.add(other, self.coef))

    def __rsub__(self, other):
        return self._like(pu.sub(other, self.coef))

    def __rmul__(self, other):
        return self._like(self._basis.mul(other, self.coef))

    def __rfloordiv__(self, other):
        return self.__rdivmod__(other)[0]

    def __rmod__(self, other):
        return self.__rdivmod__(other)[1]

    def __rdivmod__(self, other):
        quotient, rest = self._basis.div(other, self.coef)
        return self._like(quotient), self._like(rest)

    def __eq__(self, other):
        return (isinstance(other, self.__class__) and self.has_samedomain(other) and self.has_samewindow(other)
                and self.has_samecoef(other) and self.symbol == other.symbol)

    def __ne__(self, other):
        return not self == other

    def copy(self):
        return self._like(self.coef)

    def degree(self):
        return len(self) - 1

    def cutdeg(self, deg):
        return self.truncate(deg + 1)

    def trim(self, tol=0):
        return self._like(pu.trimcoef(self.coef, tol))

    def truncate(self, size):
        count = int(size)
        if count != size or count < 1:
            raise ValueError("size must be a positive integer")
        return self._like(self.coef if count >= len(self.coef) else self.coef[:count])

    def convert(self, domain=None, kind=None, window=None):
        kind = self.__class__ if kind is None else kind
        domain = kind.domain if domain is None else domain
        window = kind.window if window is None else window
        return self(kind.identity(domain, window=window, symbol=self.symbol))

    def mapparms(self):
        return pu.mapparms(self.domain, self.window)

    def integ(self, m=1, k=[], lbnd=None):
        off, scale = self.mapparms()
        lbnd = 0 if lbnd is None else off + scale * lbnd
        return self._like(self._basis.int(self.coef, m, k, lbnd, 1.0 / scale))

    def deriv(self, m=1):
        return self._like(self._basis.der(self.coef, m, self.mapparms()[1]))

    def roots(self):
        return pu.mapdomain(self._basis.roots(self.coef), self.window, self.domain)

    def linspace(self, n=100, domain=None):
        domain = self.domain if domain is None else domain
        x = np.linspace(domain[0], domain[1], n)
        return x, self(x)

    @classmethod
    def fit(cls, x, y, deg, domain=None, rcond=None, full=False, w=None, window=None, symbol="x"):
        window = cls.window if window is None else window
        if domain is None:
            domain = pu.getdomain(x)
        elif isinstance(domain, list) and len(domain) == 0:
            domain = cls.domain
        made = cls._basis.fit(pu.mapdomain(x, domain, window), y, deg, rcond=rcond, full=full, w=w)
        coef, rest = made if full else (made, None)
        series = cls(coef, domain=domain, window=window, symbol=symbol)
        return (series, rest) if full else series

    @classmethod
    def fromroots(cls, roots, domain=[], window=None, symbol="x"):
        [roots] = pu.as_series([roots], trim=False)
        if domain is None:
            domain = pu.getdomain(roots)
        elif isinstance(domain, list) and len(domain) == 0:
            domain = cls.domain
        window = cls.window if window is None else window
        off, scale = pu.mapparms(domain, window)
        coef = cls._basis.fromroots(off + scale * roots) / scale ** len(roots)
        return cls(coef, domain=domain, window=window, symbol=symbol)

    @classmethod
    def identity(cls, domain=None, window=None, symbol="x"):
        domain = cls.domain if domain is None else domain
        window = cls.window if window is None else window
        off, scale = pu.mapparms(window, domain)
        return cls(cls._basis.line(off, scale), domain, window, symbol)

    @classmethod
    def basis(cls, deg, domain=None, window=None, symbol="x"):
        degree = int(deg)
        if degree != deg or degree < 0:
            raise ValueError("deg must be non-negative integer")
        return cls([0] * degree + [1], domain, window, symbol)

    @classmethod
    def cast(cls, series, domain=None, window=None):
        domain = cls.domain if domain is None else domain
        window = cls.window if window is None else window
        return series.convert(domain, cls, window)


def series_class(basis, name):
    """The class of the series of a basis."""
    window = np.array([-1.0, 1.0]) if basis.prefix != "lag" else np.array([0.0, 1.0])
    made = type(name, (ABCPolyBase,), {"_basis": basis, "domain": window, "window": window, "basis_name": basis.prefix})
    made.__module__ = f"numpy.polynomial.{_MODULES[name]}"
    return made


_MODULES = {"Polynomial": "polynomial", "Chebyshev": "chebyshev", "Legendre": "legendre", "Hermite": "hermite",
            "HermiteE": "hermite_e", "Laguerre": "laguerre"}
