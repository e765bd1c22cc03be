"""`numpy.random.Generator`."""
from _jitlens import core
from _jitlens.python import is_unknown

from ._distributions import FLOAT, INT, Distributions, as_python, check
from ._streams import PCG64, BitGenerator, SeedSequence, count_of, size_of


class Generator(Distributions):
    _ordered, _least = True, 0

    def __init__(self, bit_generator):
        self.bit_generator = self._bit_generator = bit_generator
        self._stream = bit_generator._stream

    def __repr__(self):
        return f"Generator({type(self.bit_generator).__name__})"

    __str__ = __repr__

    def spawn(self, n_children):
        return [Generator(bits) for bits in self.bit_generator.spawn(n_children)]

    def _filled(self, names, size, dtype, out):
        dtype = core.numpy_dtype_from(dtype)
        if dtype.name not in ("float64", "float32"):
            raise TypeError(f"Unsupported dtype dtype('{dtype.name}') for {names[2]}")
        if out is not None and size is None:
            size = out.shape
        x = self._draw(names[dtype.name == "float32"], size, (), dtype)
        if out is None:
            return as_python(x, size)
        out[...] = x
        return out

    def random(self, size=None, dtype=FLOAT, out=None):
        return self._filled(("double", "float", "random"), size, dtype, out)

    def standard_normal(self, size=None, dtype=FLOAT, out=None):
        return self._filled(("normal", "normal32", "standard_normal"), size, dtype, out)

    def standard_exponential(self, size=None, dtype=FLOAT, method="zig", out=None):
        kind = ("exponential", "exponential32") if method == "zig" else ("inversion", "inversion")
        return self._filled(kind + ("standard_exponential",), size, dtype, out)

    def standard_gamma(self, shape, size=None, dtype=FLOAT, out=None):
        dtype = core.numpy_dtype_from(dtype)
        check("standard_gamma", (shape,), size)
        x = as_python(self._draw("gamma" if dtype.name == "float64" else "gamma32", size, (shape,), dtype), size)
        if out is None:
            return x
        out[...] = x
        return out

    def integers(self, low, high=None, size=None, dtype=INT, endpoint=False):
        return self._integers(low, high, size, dtype, endpoint)

    def choice(self, a, size=None, replace=True, p=None, axis=0, shuffle=True):
        population = self._population(a, axis)
        if population <= 0 and count_of(size) != 0:
            raise ValueError("a must be a positive integer unless no samples are taken" if core.is_static_integer(a) else
                             "a cannot be empty unless no samples are taken")
        if p is not None:
            p = self._weights(p, population, False)
        n, shape = count_of(size), size_of(size)
        n = 1 if n is None else n
        if not replace and n > population:
            raise ValueError("Cannot take a larger sample than population when replace is False")
        if p is not None:
            index = core.random_draw(self._stream, "weighted", (p, n, bool(replace)), shape, INT)
        elif replace:
            index = core.random_draw(self._stream, "integers", (0, population - 1, 64), shape, INT)
        else:
            index = core.random_draw(self._stream, "sample", (population, n, bool(shuffle)), shape, INT)
        return self._pick(index, a, size, axis)

    def permuted(self, x, *, axis=None, out=None):
        import numpy
        x = core.numpy_array(x)
        if axis is None:
            order = self._order(x.size)
            made = numpy.take(x.reshape(-1), order).reshape(x.shape)
        else:
            moved = numpy.moveaxis(x, axis, -1)
            rows = moved.size // max(moved.shape[-1], 1)
            order = core.random_draw(self._stream, "shuffles", (moved.shape[-1], rows), moved.shape, INT)
            made = numpy.moveaxis(numpy.take_along_axis(moved, order, -1), -1, axis)
        if out is None:
            return made
        out[...] = made
        return out


def default_rng(seed=None):
    if is_unknown(seed):
        # Whatever is given, a generator comes of it: what it draws has its type, and no numbers.
        return Generator(PCG64(None))
    if isinstance(seed, Generator):
        return seed
    if isinstance(seed, BitGenerator):
        return Generator(seed)
    from ._legacy import RandomState
    if isinstance(seed, RandomState):
        return Generator(seed._bit_generator)
    if core.is_tracer(seed):
        raise TypeError(f"SeedSequence expects int or sequence of ints for entropy not {seed}")
    return Generator(PCG64(seed))
