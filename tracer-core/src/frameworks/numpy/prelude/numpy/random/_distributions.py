"""What both kinds of generators have: distributions over `self._stream`."""
from _jitlens import core

from ._streams import count_of, size_of

FLOAT = core.named_dtype("float64")
INT = core.named_dtype("int64")


def array(x):
    return core.numpy_array(x, FLOAT)


def is_number(x):
    return isinstance(x, (int, float)) or core.is_numpy_scalar(x)


def plain_number(x):
    """An array without axes is the number that it holds."""
    return core.numpy_array(x).item() if (core.is_array(x) or core.is_numpy_array(x)) and core.ndim(x) == 0 and not core.is_tracer(x) else x


def common_shape(size, *parameters):
    shape = ()
    for parameter in parameters:
        if not is_number(parameter):
            shape = core.broadcast_shapes(shape, core.shape(parameter))
    if size is None:
        return shape
    size = size_of(size)
    if shape and all([core.is_static_integer(n) for n in size + shape]):
        whole = core.broadcast_shapes(size, shape)
        if whole != size:
            raise ValueError(f"Output size {size} is not compatible with broadcast dimensions of inputs {whole}.")
    return size


def as_python(x, size, kind=float):
    """A scalar that was asked for without a size is Python's; with the size `()` it is an array."""
    if core.is_numpy_scalar(x):
        return kind(x) if size is None else core.numpy_array(x)
    return x


# What parameters have to be: distribution -> (name, rule), in their order. None: anything real.
_RULES = {
    "normal": (None, "scale >= 0"), "lognormal": (None, "sigma >= 0"), "laplace": (None, "scale >= 0"), "logistic": (None, "scale >= 0"),
    "gumbel": (None, "scale >= 0"), "exponential": ("scale >= 0",), "rayleigh": ("scale >= 0",), "uniform": (None, None),
    "gamma": ("shape >= 0", "scale >= 0"), "standard_gamma": ("shape >= 0",), "chisquare": ("df > 0",), "beta": ("a > 0", "b > 0"),
    "power": ("a > 0",), "pareto": ("a > 0",), "weibull": ("a >= 0",), "standard_t": ("df > 0",), "vonmises": (None, "kappa >= 0"),
    "wald": ("mean > 0", "scale > 0"), "f": ("dfnum > 0", "dfden > 0"), "noncentral_chisquare": ("df > 0", "nonc >= 0"),
    "noncentral_f": ("dfnum > 0", "dfden > 0", "nonc >= 0"), "triangular": (None, None, None), "poisson": ("lam >= 0",),
    "binomial": ("n >= 0 whole", "p in [0, 1]"), "geometric": ("p in (0, 1]",), "zipf": ("a > 1",), "logseries": ("p in [0, 1)",),
    "negative_binomial": ("n > 0", "p in (0, 1]"), "hypergeometric": ("ngood >= 0 whole", "nbad >= 0 whole", "nsample >= 0 whole"),
}


def _breaks(rule, x):
    """What is wrong with a parameter, or nothing: the numbers that are known are looked at."""
    name, _, law = rule.partition(" ")
    if law.startswith(">= 0"):
        return (x < 0).any(), f"{name} < 0"
    if law == "> 0":
        return (~(x > 0)).any(), f"{name} <= 0"
    if law == "> 1":
        return (~(x > 1)).any(), f"{name} <= 1 or {name} is NaN"
    low, high = ((x < 0) if law[3] == "[" else (x <= 0)), ((x > 1) if law[-1] == "]" else (x >= 1))
    return (low | high | (x != x)).any(), f"{name} {'< 0' if law[3] == '[' else '<= 0'}, {name} {'> 1' if law[-1] == ']' else '>= 1'} or {name} is NaN"


def check(name, parameters, size):
    """Refuses parameters that are no real numbers, or out of range, and sizes below zero."""
    for rule, value in zip(_RULES[name], parameters):
        if core.is_unknown(value) or core.is_unknown_scalar(value):
            continue
        own = core.numpy_array(value)
        kind = own.dtype.kind
        whole = rule is not None and rule.endswith("whole")
        if kind == "c" or whole and kind == "f" and own.ndim:
            wanted = "int64" if whole else "float64"
            raise TypeError(f"Cannot cast array data from dtype('{own.dtype}') to dtype('{wanted}') according to the rule 'safe'")
        if rule is not None and own.size <= 10_000:
            bad, message = _breaks(rule, own)
            if core.surely(bad):
                raise ValueError(message)
    for n in () if size is None else size_of(size):
        if core.is_static_integer(n) and n < 0:
            raise ValueError("negative dimensions are not allowed")


class Distributions:
    # Whether a range has to begin below its end, and how many things are drawn at least.
    _ordered, _least = False, 1

    def _draw(self, name, size=None, parameters=(), dtype=FLOAT):
        shape = common_shape(size, *parameters)
        parameters = tuple(p if is_number(p) else self._spread(p, shape) for p in parameters)
        return core.random_draw(self._stream, name, parameters, shape, dtype)

    def _spread(self, parameter, shape):
        import numpy
        return numpy.broadcast_to(array(parameter), shape).reshape(-1)

    def _scaled(self, name, size, loc, scale):
        shape = common_shape(size, loc, scale)
        x = self._draw(name, shape)
        if not (is_number(loc) and is_number(scale)):
            return as_python(array(loc) + array(scale) * x, None if size is None and shape == () else size)
        if not (type(scale) in (int, float) and scale == 1):
            x = x * float(scale)
        if not (type(loc) in (int, float) and loc == 0):
            x = x + float(loc)
        return as_python(x, size)

    def normal(self, loc=0.0, scale=1.0, size=None):
        check("normal", (loc, scale), size)
        return self._scaled("normal", size, loc, scale)

    def uniform(self, low=0.0, high=1.0, size=None):
        check("uniform", (low, high), size)
        self._check_range(low, high)
        if is_number(low) and is_number(high):
            return self._scaled("double", size, float(low), float(high) - float(low))
        return self._scaled("double", size, low, array(high) - array(low))

    def _check_range(self, low, high):
        """Refuses a range whose width no double holds."""
        import numpy
        width = core.numpy_array(high, FLOAT) - core.numpy_array(low, FLOAT)
        if core.size(width) > 10_000:
            return
        endless = (~numpy.isfinite(width)).any()
        if core.surely(endless):
            raise OverflowError("Range exceeds valid bounds")
        if self._ordered:
            turned = (width < 0).any()
            if core.surely(turned):
                raise ValueError("high - low < 0")

    def exponential(self, scale=1.0, size=None):
        check("exponential", (scale,), size)
        return self._scaled("exponential", size, 0, scale)

    def lognormal(self, mean=0.0, sigma=1.0, size=None):
        check("lognormal", (mean, sigma), size)
        import numpy
        return as_python(numpy.exp(self._scaled("normal", size, mean, sigma)), size)

    def gamma(self, shape, scale=1.0, size=None):
        check("gamma", (shape, scale), size)
        x = self._draw("gamma", common_shape(size, shape, scale), (shape,))
        return as_python(x * (float(scale) if is_number(scale) else array(scale)), size)

    def chisquare(self, df, size=None):
        check("chisquare", (df,), size)
        return as_python(2.0 * self._draw("gamma", size, (df / 2.0 if is_number(df) else array(df) / 2.0,)), size)

    def _named(self, name, size, *parameters):
        return as_python(self._draw(name, size, parameters), size)

    def beta(self, a, b, size=None):
        check("beta", (a, b), size)
        return self._named("beta", size, a, b)

    def laplace(self, loc=0.0, scale=1.0, size=None):
        check("laplace", (loc, scale), size)
        return self._named("laplace", size, loc, scale)

    def logistic(self, loc=0.0, scale=1.0, size=None):
        check("logistic", (loc, scale), size)
        return self._named("logistic", size, loc, scale)

    def gumbel(self, loc=0.0, scale=1.0, size=None):
        check("gumbel", (loc, scale), size)
        return self._named("gumbel", size, loc, scale)

    def power(self, a, size=None):
        check("power", (a,), size)
        return self._named("power", size, a)

    def pareto(self, a, size=None):
        check("pareto", (a,), size)
        return self._named("pareto", size, a)

    def weibull(self, a, size=None):
        check("weibull", (a,), size)
        return self._named("weibull", size, a)

    def rayleigh(self, scale=1.0, size=None):
        check("rayleigh", (scale,), size)
        return self._named("rayleigh", size, scale)

    def standard_cauchy(self, size=None):
        return self._named("cauchy", size)

    def standard_t(self, df, size=None):
        check("standard_t", (df,), size)
        return self._named("t", size, df)

    def vonmises(self, mu, kappa, size=None):
        check("vonmises", (mu, kappa), size)
        return self._named("vonmises", size, mu, kappa)

    def wald(self, mean, scale, size=None):
        check("wald", (mean, scale), size)
        return self._named("wald", size, mean, scale)

    def triangular(self, left, mode, right, size=None):
        check("triangular", (left, mode, right), size)
        return self._named("triangular", size, left, mode, right)

    def f(self, dfnum, dfden, size=None):
        check("f", (dfnum, dfden), size)
        return self._named("f", size, dfnum, dfden)

    def noncentral_chisquare(self, df, nonc, size=None):
        check("noncentral_chisquare", (df, nonc), size)
        return self._named("noncentral_chisquare", size, df, nonc)

    def noncentral_f(self, dfnum, dfden, nonc, size=None):
        check("noncentral_f", (dfnum, dfden, nonc), size)
        return self._named("noncentral_f", size, dfnum, dfden, nonc)

    def _count(self, name, size, *parameters):
        return as_python(self._draw(name, size, parameters, INT), size, int)

    def poisson(self, lam=1.0, size=None):
        check("poisson", (lam,), size)
        return self._count("poisson", size, lam)

    def binomial(self, n, p, size=None):
        check("binomial", (n, p), size)
        return self._count("binomial", size, n, p)

    def geometric(self, p, size=None):
        check("geometric", (p,), size)
        return self._count("geometric", size, p)

    def zipf(self, a, size=None):
        check("zipf", (a,), size)
        return self._count("zipf", size, a)

    def logseries(self, p, size=None):
        check("logseries", (p,), size)
        return self._count("logseries", size, p)

    def negative_binomial(self, n, p, size=None):
        check("negative_binomial", (n, p), size)
        return self._count("negative_binomial", size, n, p)

    def hypergeometric(self, ngood, nbad, nsample, size=None):
        check("hypergeometric", (ngood, nbad, nsample), size)
        given = [core.numpy_array(x) for x in (ngood, nbad, nsample)]
        if max([core.size(x) for x in given]) <= 10_000:
            few, many = (given[2] < self._least).any(), (given[0] + given[1] < given[2]).any()
            if core.surely(few):
                raise ValueError(f"nsample < {self._least} or nsample is NaN")
            if core.surely(many):
                raise ValueError("ngood + nbad < nsample")
        return self._count("hypergeometric", size, ngood, nbad, nsample)

    def multinomial(self, n, pvals, size=None):
        if core.ndim(pvals) == 0:
            raise TypeError("object of type 'float' has no len()")
        given = core.numpy_array(pvals)
        if given.size <= 10_000:
            for bad, message in ((given < 0).any() | (given > 1).any(), "pvals < 0, pvals > 1 or pvals contains NaNs"), (
                    (given[..., :-1].sum(-1) > 1 + 1e-6).any(), "sum(pvals[:-1]) > 1.0"):
                if core.surely(bad):
                    raise ValueError(message)
        return core.random_draw(self._stream, "multinomial", (), common_shape(size, n) + core.shape(pvals)[-1:], INT)

    def multivariate_hypergeometric(self, colors, nsample, size=None, method="marginals"):
        return core.random_draw(self._stream, "multivariate", (), size_of(size) + core.shape(colors), INT)

    def dirichlet(self, alpha, size=None):
        import numpy
        alpha = array(alpha)
        bad = (alpha <= 0).any()
        if core.surely(bad):
            raise ValueError("alpha < 0")
        shape = size_of(size) + alpha.shape
        if max(alpha.tolist()) < 0.1:
            return core.random_draw(self._stream, "dirichlet", (), shape, FLOAT)
        x = self._draw("gamma", shape, (numpy.broadcast_to(alpha, shape),))
        return x * (1.0 / x.sum(-1, keepdims=True))

    def multivariate_normal(self, mean, cov, size=None, check_valid="warn", tol=1e-8, *, method="svd"):
        mean, cov = array(mean), array(cov)
        if mean.ndim != 1:
            raise ValueError("mean must be 1 dimensional")
        if cov.ndim != 2 or cov.shape[0] != cov.shape[1]:
            raise ValueError("cov must be 2 dimensional and square")
        if mean.shape[0] != cov.shape[0]:
            raise ValueError("mean and cov must have same length")
        shape = size_of(size) + mean.shape
        # The factor of `cov` is LAPACK's own: the stream goes on, the numbers are not known.
        self._draw("normal", shape)
        return core.numpy_opaque(shape, FLOAT)

    def bytes(self, length):
        self._draw("bytes", ())
        return core.unmodelled("numpy.random.bytes")

    def _pick(self, index, a, size, axis=0):
        """The items of `a` at what was drawn."""
        if core.is_static_integer(a):
            return as_python(index, size, int)
        if core.is_numpy_scalar(index) and type(a) in (list, tuple) and a and isinstance(a[0], str):
            import numpy
            return numpy.str_(a[int(index)])
        import numpy
        from numpy import _objects
        if core.is_numpy_scalar(index) and size is None:
            index = int(index)
        if isinstance(a, _objects.ObjectArray) and axis == 0:
            return a[index]
        items = core.numpy_array_of_any(a)
        return numpy.take(items, index, axis=axis)

    def _integers(self, low, high, size, dtype, closed):
        """Whole numbers between bounds, which are looked at only where numbers are asked for."""
        import numpy
        if high is None:
            low, high = 0, low
        low, high = plain_number(low), plain_number(high)
        given, dtype = dtype, core.numpy_dtype_from(dtype)
        if dtype.kind not in "biu":
            raise TypeError(f"Unsupported dtype dtype('{dtype}') for {'integers' if self._ordered else 'randint'}")
        if count_of(size) == 0:
            return numpy.empty(size_of(size), dtype)
        width, less = 1 if dtype.name == "bool" else 8 * dtype.itemsize, 0 if closed else 1
        if isinstance(low, complex) or isinstance(high, complex):
            raise TypeError("int() argument must be a string, a bytes-like object or a real number, not 'complex'")
        if is_number(low) and is_number(high):
            x = core.random_draw(self._stream, "integers", (int(low), int(high) - less, width), size_of(size), dtype)
            if size is None:
                return given(x) if given is bool or given is int else x
            return as_python(x, size)
        low, high = [b.real if b.dtype.kind == "c" else b for b in (core.numpy_array(low), core.numpy_array(high))]
        bad = (low > high).any() if closed else (low >= high).any()
        if core.surely(bad):
            raise ValueError("low > high" if closed else "low >= high")
        high = high - less
        shape, whole = common_shape(None, low, high) if size is None else size_of(size), core.broadcast_shapes(core.broadcast_shapes(core.shape(low), core.shape(high)), () if size is None else size_of(size))
        if shape != whole:
            # As many numbers as the bounds have places are drawn into fewer.
            core.random_set_position(self._stream, None)
            return core.numpy_opaque(shape, dtype)
        low, high = (numpy.broadcast_to(b, shape).reshape(-1) for b in (low, high))
        return core.random_draw(self._stream, "ranges", (low, high, width), shape, dtype)

    def _weights(self, p, population, quoted):
        """Probabilities of so many things."""
        len(p)
        p = array(p)
        name, of = ("'p'", "'a'") if quoted else ("p", "a")
        if p.ndim != 1:
            raise ValueError(f"{name} must be 1-dimensional")
        if p.shape[0] != population:
            raise ValueError(f"{of} and {name} must have same size")
        return p

    def _population(self, a, axis=0, message="a must be a positive integer unless no samples are taken"):
        if core.is_static_integer(a):
            return int(a)
        if type(a) in (list, tuple):
            return len(a)
        if core.is_unknown_scalar(a):
            return a
        kind = type(a)
        a = core.numpy_array_of_any(a)
        if a.ndim == 0:
            raise ValueError(f"a must be a sequence or an integer, not {kind}")
        return a.shape[axis]

    def _order(self, n):
        return core.random_draw(self._stream, "shuffle", (n,), (n,), INT)

    def permutation(self, x, axis=0):
        if core.is_static_integer(x) or isinstance(x, bool):
            return self._order(max(int(x), 0))
        if core.is_unknown_scalar(x):
            return core.unknown("a permutation of unknown length")
        given, x = x, core.numpy_array_of_any(x)
        if x.ndim == 0:
            raise IndexError("x must be an integer or at least 1-dimensional")
        if core.is_array(given) and x.ndim == 1 and x.shape[0] == 0:
            raise ValueError("array is read-only")
        import numpy
        return numpy.take(x, self._order(x.shape[axis]), axis=axis)

    def shuffle(self, x, axis=0):
        n = len(x)
        if axis != 0:
            n = x.shape[axis]
        if n > 1 and not isinstance(x, list) and not core.is_numpy_array(x):
            x[0] = x[0]         # Neither an array of JAX nor a tuple can be written to.
        if n == 0 or n == 1 and not isinstance(x, list) and not core.is_numpy_array(x):
            return
        order = self._order(n)
        if isinstance(x, list):
            x[:] = [x[int(i)] for i in order.tolist()] if core.random_known(order) else [core.unmodelled("a shuffled item")] * n
        else:
            import numpy
            x[...] = numpy.take(x, order, axis=axis)
