"""Random numbers: those of a stream that the program has seeded, and else their types."""

from _jitlens.python import (impure, is_unknown, random_bits, random_double, random_known, random_position, random_seed, random_set_position,
                             random_stream, unknown)
import bisect as _bisect
import math as _math

_WHY = "a random number"


def _float():
    return unknown("float", _WHY)


def _int():
    return unknown("int", _WHY)


def _whole_number(value, what):
    if value != value // 1:
        raise ValueError(f"non-integer {what} for randrange()")
    return int(value)


def _words(seed):
    """The words of a whole number, lowest first."""
    seed, words = abs(int(seed)), []
    while True:
        words.append(seed & 0xFFFFFFFF)
        seed >>= 32
        if not seed:
            return words


def _of_seed(a, version):
    """The words that stand for a seed; None where the numbers are not known that come of it."""
    if a is None or is_unknown(a) or is_unknown(version):
        return None
    if isinstance(a, int):
        return _words(a)
    if version == 2 and isinstance(a, (str, bytes, bytearray)):
        import hashlib
        text = a.encode() if isinstance(a, str) else bytes(a)
        return None if is_unknown(text) else _words(int.from_bytes(text + hashlib.sha512(text).digest(), "big"))
    if not isinstance(a, (float, str, bytes, bytearray)):
        raise TypeError("The only supported seed types are: None,\nint, float, str, bytes, and bytearray.")
    return None


class Random:
    def __init__(self, x=None):
        self._stream = random_stream()
        self.seed(x)

    def seed(self, a=None, version=2):
        random_seed(self._stream, _of_seed(a, version))
        self.gauss_next = None

    def _draws(self, *given):
        """Whether what is drawn now is known; if not, neither is what is drawn later."""
        impure("random")
        if random_known(self._stream) and not any([is_unknown(x) for x in given]):
            return True
        random_seed(self._stream, None)
        self.gauss_next = None
        return False

    def _below(self, n):
        """One of `range(n)`, of a stream that is known."""
        bits = n.bit_length()
        drawn = random_bits(self._stream, bits)
        while drawn >= n:
            drawn = random_bits(self._stream, bits)
        return drawn

    def random(self):
        return random_double(self._stream) if self._draws() else _float()

    def getrandbits(self, k):
        if not self._draws(k):
            return _int()
        if k < 0:
            raise ValueError("number of bits must be non-negative")
        return random_bits(self._stream, k)

    def randbytes(self, n):
        return self.getrandbits(n * 8).to_bytes(n, "little") if self._draws(n) else unknown("", _WHY)

    def randint(self, a, b):
        return self.randrange(a, b + 1)

    def randrange(self, start, stop=None, step=1):
        if type(start) is float and not is_unknown(start):
            start = _whole_number(start, "arg 1")
        if type(stop) is float and not is_unknown(stop):
            stop = _whole_number(stop, "stop")
        if {type(start), type(step)} == {int} and not is_unknown(start) and not is_unknown(step):
            _check_range(start, stop, step)
        if not self._draws(start, stop, step):
            return _int()
        start, stop, step = (0, start, step) if stop is None else (start, stop, step)
        return start + step * self._below(_count(start, stop, step))

    def choice(self, seq):
        if not len(seq):
            raise IndexError("Cannot choose from an empty sequence")
        if self._draws(len(seq)):
            return seq[self._below(len(seq))]
        if isinstance(seq, dict):
            return unknown("", "what stands under a random key")
        return seq[0] if isinstance(seq, (set, frozenset)) else _one_of(list(seq))

    def choices(self, population, weights=None, *, cum_weights=None, k=1):
        population = list(population)
        n = len(population)
        if cum_weights is not None and weights is not None:
            raise TypeError("Cannot specify both weights and cumulative weights")
        if cum_weights is None and weights is not None:
            total, cum_weights = 0, []
            for weight in weights:
                total += weight
                cum_weights.append(total)
        if self._draws(n, k, *(cum_weights or ())):
            if cum_weights is None:
                return [population[_math.floor(random_double(self._stream) * (n + 0.0))] for _ in range(k)]
            if len(cum_weights) != n:
                raise ValueError("The number of weights does not match the population")
            total = cum_weights[-1] + 0.0
            if total <= 0.0:
                raise ValueError("Total of weights must be greater than zero")
            return [population[_bisect.bisect(cum_weights, random_double(self._stream) * total, 0, n - 1)] for _ in range(k)]
        one = _one_of(population)
        return [_or_that(one, one) for _ in range(k)]

    def sample(self, population, k, *, counts=None):
        if isinstance(population, (set, frozenset, dict)):
            raise TypeError("Population must be a sequence.  For dicts or sets, use sorted(d).")
        if counts is not None:
            population = [item for item, count in zip(population, counts) for _ in range(count)]
        population = list(population)
        n = len(population)
        if is_unknown(n) or is_unknown(k):
            # What is drawn later is not known either.
            self._draws(n, k)
            return unknown("", _WHY)
        if not 0 <= k <= n:
            raise ValueError("Sample larger than population or is negative")
        if self._draws(n, k):
            return [population[i] for i in self._different(n, k)]
        one = _one_of(population) if k else None
        return [_or_that(one, one) for _ in range(k)]

    def _different(self, n, k):
        """`k` different ones of `range(n)`."""
        # Few of many are drawn until they differ; of others those that are left stand in a list.
        least = 21 if k <= 5 else 21 + 4 ** _math.ceil(_math.log(k * 3, 4))
        if n > least:
            found = {}
            for _ in range(k):
                drawn = self._below(n)
                while drawn in found:
                    drawn = self._below(n)
                found[drawn] = None
            return list(found)
        left, found = list(range(n)), []
        for i in range(k):
            at = self._below(n - i)
            found.append(left[at])
            left[at] = left[n - i - 1]
        return found

    def shuffle(self, x):
        if self._draws(len(x)):
            for i in range(len(x) - 1, 0, -1):
                at = self._below(i + 1)
                x[i], x[at] = x[at], x[i]
            return
        items = list(x)
        if len(items) > 1:
            one = _one_of(items)
            for i in range(len(items)):
                x[i] = _or_that(one, items[i])

    def uniform(self, a, b):
        return a + (b - a) * random_double(self._stream) if self._draws(a, b) else _float()

    def triangular(self, low=0.0, high=1.0, mode=None):
        if not self._draws(low, high, mode):
            return _float()
        u = random_double(self._stream)
        if high == low:
            return low
        part = 0.5 if mode is None else (mode - low) / (high - low)
        if u > part:
            u, part, low, high = 1.0 - u, 1.0 - part, high, low
        return low + (high - low) * _math.sqrt(u * part)

    def gauss(self, mu=0.0, sigma=1.0):
        if not self._draws(mu, sigma):
            return _float()
        z, self.gauss_next = self.gauss_next, None
        if z is None:
            # Both of a pair of polar coordinates are normal; the second is kept.
            angle = random_double(self._stream) * 2.0 * _math.pi
            radius = _math.sqrt(-2.0 * _math.log(1.0 - random_double(self._stream)))
            z, self.gauss_next = _math.cos(angle) * radius, _math.sin(angle) * radius
        return mu + z * sigma

    def normalvariate(self, mu=0.0, sigma=1.0):
        return mu + self._normal() * sigma if self._draws(mu, sigma) else _float()

    def _normal(self):
        # A ratio of two uniform ones.
        while True:
            u, v = random_double(self._stream), 1.0 - random_double(self._stream)
            z = 4.0 * _math.exp(-0.5) / _math.sqrt(2.0) * (u - 0.5) / v
            if z * z / 4.0 <= -_math.log(v):
                return z

    def lognormvariate(self, mu=0.0, sigma=1.0):
        return _math.exp(mu + self._normal() * sigma) if self._draws(mu, sigma) else _float()

    def expovariate(self, lambd=1.0):
        return -_math.log(1.0 - random_double(self._stream)) / lambd if self._draws(lambd) else _float()

    def paretovariate(self, alpha):
        return (1.0 - random_double(self._stream)) ** (-1.0 / alpha) if self._draws(alpha) else _float()

    def weibullvariate(self, alpha, beta):
        return alpha * (-_math.log(1.0 - random_double(self._stream))) ** (1.0 / beta) if self._draws(alpha, beta) else _float()

    def _others(self, *given):
        """Of a distribution that is not modelled."""
        self._draws(*given)
        random_seed(self._stream, None)
        return _float()

    def betavariate(self, alpha, beta):
        if not self._draws(alpha, beta):
            return _float()
        one = self.gammavariate(alpha, 1.0)
        return one / (one + self.gammavariate(beta, 1.0)) if one else 0.0

    def gammavariate(self, alpha, beta):
        if not self._draws(alpha, beta):
            return _float()
        if alpha <= 0.0 or beta <= 0.0:
            raise ValueError("gammavariate: alpha and beta must be > 0.0")
        return (self._wide_gamma(alpha) if alpha > 1.0 else self._narrow_gamma(alpha)) * beta

    def _wide_gamma(self, shape):
        # Rejection from a logistic distribution (Cheng, 1977).
        rate = _math.sqrt(2.0 * shape - 1.0)
        low, slope = shape - _math.log(4.0), shape + rate
        while True:
            u = random_double(self._stream)
            if not 1e-7 < u < 0.9999999:
                continue
            v = 1.0 - random_double(self._stream)
            logit = _math.log(u / (1.0 - u)) / rate
            x, z = shape * _math.exp(logit), u * u * v
            r = low + slope * logit - x
            if r + (1.0 + _math.log(4.5)) - 4.5 * z >= 0.0 or r >= _math.log(z):
                return x

    def _narrow_gamma(self, shape):
        if shape == 1.0:
            return -_math.log(1.0 - random_double(self._stream))
        # Rejection from a power and an exponential distribution (Ahrens and Dieter, 1974).
        bound = (_math.e + shape) / _math.e
        while True:
            p = bound * random_double(self._stream)
            is_low = p <= 1.0
            x = p ** (1.0 / shape) if is_low else -_math.log((bound - p) / shape)
            if random_double(self._stream) <= (_math.exp(-x) if is_low else x ** (shape - 1.0)):
                return x

    def vonmisesvariate(self, mu, kappa):
        return self._others(mu, kappa)

    def getstate(self):
        return (3, random_position(self._stream), self.gauss_next)

    def setstate(self, state):
        random_set_position(self._stream, state[1])
        self.gauss_next = state[2]

    __getstate__, __setstate__ = getstate, setstate

    def __reduce__(self):
        return type(self), (), self.getstate()


class SystemRandom(Random):
    def seed(self, *args, **kwds):
        self.gauss_next = None


def _count(start, stop, step):
    """How many whole numbers there are: of any size."""
    return (stop - start + step + (-1 if step > 0 else 1)) // step


def _check_range(start, stop, step):
    if stop is None:
        if start <= 0:
            raise ValueError("empty range for randrange()")
        return
    if type(stop) is not int or is_unknown(stop):
        return
    if step == 0:
        raise ValueError("zero step for randrange()")
    if _count(start, stop, step) <= 0:
        if step == 1:
            raise ValueError(f"empty range for randrange() ({start}, {stop}, {stop - start})")
        raise ValueError("empty range for randrange()")


def _one_of(items):
    """One of the items; where they are alike, that one. Otherwise it is what they have in common, each time an object of its own."""
    first = items[0]
    if all([item is first for item in items]):
        return first
    kinds = {type(item) for item in items}
    if kinds <= {int}:
        return _int()
    if kinds <= {float}:
        return _float()
    if kinds <= {str}:
        return unknown("str", "a random choice")
    for item in items[1:]:
        first = _or_that(first, item)
    return first


def _or_that(one, other):
    """One of the two."""
    return [one, other][unknown("int", _WHY)]


_instance = Random()


def __getattr__(name):
    if not name.startswith("_") and hasattr(_instance, name):
        return getattr(_instance, name)
    raise AttributeError(f"module 'random' has no attribute '{name}'")
