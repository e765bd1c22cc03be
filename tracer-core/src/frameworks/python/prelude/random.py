"""Random numbers: their types are known, they are not."""

from _jitlens.python import impure, is_unknown, unknown

_WHY = "a random number"


def _float(*args, **kwargs):
    impure("random")
    return unknown("float", _WHY)


def _int(*args, **kwargs):
    impure("random")
    return unknown("int", _WHY)


class Random:
    def __init__(self, x=None):
        pass

    def seed(self, a=None, version=2):
        return None

    def random(self):
        return _float()

    def uniform(self, a, b):
        return _float()

    def gauss(self, mu=0.0, sigma=1.0):
        return _float()

    normalvariate = gauss

    def lognormvariate(self, mu, sigma):
        return _float()

    def betavariate(self, alpha, beta):
        return _float()

    gammavariate = weibullvariate = betavariate

    def paretovariate(self, alpha):
        return _float()

    def vonmisesvariate(self, mu, kappa):
        return _float()

    def triangular(self, low=0.0, high=1.0, mode=None):
        return _float()

    def expovariate(self, lambd=1.0):
        return _float()

    def randint(self, a, b):
        return self.randrange(a, b + 1)

    def randrange(self, start, stop=None, step=1):
        if {type(start), type(step)} == {int} and not is_unknown(start) and not is_unknown(step):
            _check_range(start, stop, step)
        return _int()

    def getrandbits(self, k):
        return _int()

    def randbytes(self, n):
        return unknown("", _WHY)

    def choice(self, seq):
        if not len(seq):
            raise IndexError("Cannot choose from an empty sequence")
        if isinstance(seq, (set, frozenset, dict)):
            return seq[_int()]
        return _one_of(list(seq))

    def choices(self, population, weights=None, *, cum_weights=None, k=1):
        population = list(population)
        one = _one_of(population)
        return [_or_that(one, one) for _ in range(k)]

    def sample(self, population, k, *, counts=None):
        if isinstance(population, (set, frozenset, dict)):
            raise TypeError("Population must be a sequence.  For dicts or sets, use sorted(d).")
        if counts is not None:
            population = [item for item, count in zip(population, counts) for _ in range(count)]
        population = list(population)
        if not 0 <= k <= len(population):
            raise ValueError("Sample larger than population or is negative")
        one = _one_of(population) if k else None
        return [_or_that(one, one) for _ in range(k)]

    def shuffle(self, x):
        items = list(x)
        if len(items) > 1:
            one = _one_of(items)
            for i in range(len(items)):
                x[i] = _or_that(one, items[i])

    def getstate(self):
        return unknown("", _WHY)

    def setstate(self, state):
        return None


SystemRandom = Random


def _check_range(start, stop, step):
    if stop is None:
        if start <= 0:
            raise ValueError("empty range for randrange()")
        return
    if type(stop) is not int or is_unknown(stop):
        return
    if step == 0:
        raise ValueError("zero step for randrange()")
    if len(range(start, stop, step)) == 0:
        if step == 1:
            raise ValueError(f"empty range for randrange() ({start}, {stop}, {stop - start})")
        raise ValueError("empty range for randrange()")


def _one_of(items):
    """One of the items; where they are alike, that one. Otherwise it is what they have in common, each time an object of its own."""
    impure("random")
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
    if hasattr(_instance, name):
        return getattr(_instance, name)
    raise AttributeError(f"module 'random' has no attribute '{name}'")
