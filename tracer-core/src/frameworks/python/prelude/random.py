"""Random numbers: their types are known, they are not."""

from _jitlens.python import impure, unknown

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

    normalvariate = lognormvariate = betavariate = gammavariate = gauss

    def triangular(self, low=0.0, high=1.0, mode=None):
        return _float()

    def expovariate(self, lambd=1.0):
        return _float()

    def randint(self, a, b):
        return _int()

    def randrange(self, start, stop=None, step=1):
        return _int()

    def getrandbits(self, k):
        return _int()

    def randbytes(self, n):
        return unknown("", _WHY)

    def choice(self, seq):
        if not len(seq):
            raise IndexError("Cannot choose from an empty sequence")
        return _one_of(list(seq))

    def choices(self, population, weights=None, *, cum_weights=None, k=1):
        population = list(population)
        return [_one_of(population) for _ in range(k)]

    def sample(self, population, k, *, counts=None):
        population = list(population)
        if not 0 <= k <= len(population):
            raise ValueError("Sample larger than population or is negative")
        return [_one_of(population) for _ in range(k)]

    def shuffle(self, x):
        items = list(x)
        for i in range(len(items)):
            x[i] = _one_of(items)

    def getstate(self):
        return unknown("", _WHY)

    def setstate(self, state):
        return None


SystemRandom = Random


def _one_of(items):
    """One of the items; where they are alike, that one."""
    impure("random")
    first = items[0]
    if all([item is first for item in items]):
        return first
    kinds = {type(item) for item in items}
    if kinds <= {int}:
        return _int()
    if kinds <= {float}:
        return _float()
    return unknown("str" if kinds <= {str} else "", "a random choice")


_instance = Random()


def __getattr__(name):
    if hasattr(_instance, name):
        return getattr(_instance, name)
    raise AttributeError(f"module 'random' has no attribute '{name}'")
