"""`numpy.random`: shapes and dtypes are known, numbers are not."""
from _jitlens import core

_FLOAT = core.named_dtype("float64")
_INT = core.named_dtype("int64")


def _draw(size, dtype, *parameters):
    if size is None:
        shape = ()
        for parameter in parameters:
            shape = core.broadcast_shapes(shape, core.shape(parameter))
    else:
        shape = (size,) if isinstance(size, int) or core.is_static_integer(size) else tuple(size)
    return core.numpy_opaque(shape, dtype)


class Generator:
    def random(self, size=None, dtype=_FLOAT, out=None):
        return _draw(size, dtype)

    def standard_normal(self, size=None, dtype=_FLOAT, out=None):
        return _draw(size, dtype)

    def normal(self, loc=0.0, scale=1.0, size=None):
        return _draw(size, _FLOAT, loc, scale)

    def uniform(self, low=0.0, high=1.0, size=None):
        return _draw(size, _FLOAT, low, high)

    def exponential(self, scale=1.0, size=None):
        return _draw(size, _FLOAT, scale)

    def gamma(self, shape, scale=1.0, size=None):
        return _draw(size, _FLOAT, shape, scale)

    def beta(self, a, b, size=None):
        return _draw(size, _FLOAT, a, b)

    def laplace(self, loc=0.0, scale=1.0, size=None):
        return _draw(size, _FLOAT, loc, scale)

    def lognormal(self, mean=0.0, sigma=1.0, size=None):
        return _draw(size, _FLOAT, mean, sigma)

    def poisson(self, lam=1.0, size=None):
        return _draw(size, _INT, lam)

    def binomial(self, n, p, size=None):
        return _draw(size, _INT, n, p)

    def integers(self, low, high=None, size=None, dtype=_INT, endpoint=False):
        return _draw(size, dtype, low) if high is None else _draw(size, dtype, low, high)

    def permutation(self, x, axis=0):
        if isinstance(x, int):
            return core.numpy_opaque((x,), _INT)
        x = core.numpy_array(x)
        return core.numpy_opaque(x.shape, x.dtype)

    def shuffle(self, x, axis=0):
        core.numpy_forget(x)

    def choice(self, a, size=None, replace=True, p=None, axis=0, shuffle=True):
        if isinstance(a, int):
            return _draw(size, _INT)
        a = core.numpy_array(a)
        return core.numpy_opaque((() if size is None else (size,) if isinstance(size, int) else tuple(size)) + a.shape[1:], a.dtype)

    def multivariate_normal(self, mean, cov, size=None, **options):
        extra = () if size is None else (size,) if isinstance(size, int) else tuple(size)
        return core.numpy_opaque(extra + core.numpy_array(mean).shape, _FLOAT)

    def spawn(self, n):
        return [Generator() for _ in range(n)]


class RandomState(Generator):
    def __init__(self, seed=None):
        pass

    def randn(self, *shape):
        return _draw(shape or None, _FLOAT)

    def rand(self, *shape):
        return _draw(shape or None, _FLOAT)

    def randint(self, low, high=None, size=None, dtype=_INT):
        return self.integers(low, high, size, dtype)

    def random_sample(self, size=None):
        return _draw(size, _FLOAT)

    def seed(self, seed=None):
        pass


def default_rng(seed=None):
    return Generator()


class SeedSequence:
    def __init__(self, *args, **kwargs):
        pass


_global = RandomState()


def __getattr__(name):
    return getattr(_global, name)
