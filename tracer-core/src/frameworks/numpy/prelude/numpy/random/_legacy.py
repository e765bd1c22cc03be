"""`numpy.random.RandomState`, and the one behind the functions of the module."""
from _jitlens import core
from _jitlens.python import is_unknown

from ._distributions import FLOAT, INT, Distributions, as_python, check, plain_number
from ._streams import BitGenerator, MT19937, count_of, size_of


def _stream(seed):
    if is_unknown(seed) or seed is None:
        return core.random_stream("legacy", None, [])
    if isinstance(seed, BitGenerator):
        return core.random_again(seed._stream, True)
    if core.is_static_integer(seed):
        seed = int(seed)
        return core.random_stream("legacy", None if is_unknown(seed) else words_of_int(seed), [])
    words = []
    items = seed.tolist() if hasattr(seed, "tolist") else list(seed)
    if is_unknown(items):
        return core.random_stream("legacy", None, [])
    if not isinstance(items, list):
        return _stream(items)
    if any([is_unknown(item) for item in items]):
        return core.random_stream("legacy", None, [])
    for item in items:
        words += words_of_int(int(item))
    if not words:
        raise ValueError("Seed must be non-empty")
    return core.random_stream("legacy_array", words, [])


def words_of_int(seed):
    if seed < 0 or seed > 0xFFFFFFFF:
        raise ValueError("Seed must be between 0 and 2**32 - 1")
    return [seed]


class RandomState(Distributions):
    def __init__(self, seed=None):
        self._stream = _stream(seed)
        self._bit_generator = MT19937()
        self._bit_generator._stream = core.random_again(self._stream, False)

    def __repr__(self):
        return "RandomState(MT19937)"

    __str__ = __repr__

    def seed(self, seed=None):
        core.random_set_position(self._stream, _stream(seed))

    def get_state(self, legacy=True):
        state = core.random_position(self._stream)
        if legacy:
            return ("MT19937", state, core.unmodelled("the position in the state of a generator"), 0, 0.0)
        return {"bit_generator": "MT19937", "state": state}

    def set_state(self, state):
        if not isinstance(state, (tuple, list, dict)):
            raise TypeError("state must be a dict or a tuple.")
        core.random_set_position(self._stream, state["state"] if isinstance(state, dict) else state[1])

    def random_sample(self, size=None):
        return as_python(self._draw("double", size), size)

    random = random_sample

    def rand(self, *args):
        return self.random_sample(size=args or None)

    def standard_normal(self, size=None):
        return as_python(self._draw("normal", size), size)

    def randn(self, *args):
        return self.standard_normal(size=args or None)

    def standard_exponential(self, size=None):
        return as_python(self._draw("exponential", size), size)

    def standard_gamma(self, shape, size=None):
        check("standard_gamma", (shape,), size)
        return as_python(self._draw("gamma", size, (shape,)), size)

    def randint(self, low, high=None, size=None, dtype=int):
        return self._integers(low, high, size, dtype, False)

    def random_integers(self, low, high=None, size=None):
        if high is None:
            low, high = 1, low
        return self.randint(low, int(high) + 1, size)

    def tomaxint(self, size=None):
        return core.random_draw(self._stream, "tomaxint", (), size_of(size), INT)

    def choice(self, a, size=None, replace=True, p=None):
        a = plain_number(a)
        if isinstance(a, (bool, core.numpy_class("bool"))):
            a = int(a)
        if not core.is_static_integer(a) and core.ndim(a) != 1:
            raise ValueError("a must be 1-dimensional" + (" or an integer" if core.ndim(a) == 0 else ""))
        population = self._population(a)
        if population <= 0 and count_of(size) != 0:
            raise ValueError("a must be greater than 0 unless no samples are taken" if core.is_static_integer(a) else
                             "'a' cannot be empty unless no samples are taken")
        if p is not None:
            p = self._weights(p, population, True)
        n, shape = count_of(size), size_of(size)
        n = 1 if n is None else n
        if not replace and n > population:
            raise ValueError("Cannot take a larger sample than population when 'replace=False'")
        if p is not None:
            index = core.random_draw(self._stream, "weighted", (p, n, bool(replace)), shape, INT)
        elif replace:
            index = core.random_draw(self._stream, "integers", (0, population - 1, 64), shape, INT)
        else:
            index = self._order(population)[:n].reshape(shape)
            if size is None:
                index = index[()]
        return self._pick(index, a, size)


global_state = RandomState()
