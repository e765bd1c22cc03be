"""Simple statistics."""

import math

from _jitlens.python import is_unknown, unknown


class StatisticsError(ValueError):
    pass


def _data(data, name, least=1):
    data = list(data)
    if len(data) < least:
        raise StatisticsError(f"{name} requires at least {'one data point' if least == 1 else 'two data points'}")
    for x in data if name != "fmean" else ():
        if x is None or isinstance(x, (str, bytes, list, tuple, dict, set)):
            raise TypeError(f"can't convert type '{type(x).__name__}' to numerator/denominator")
    return data


def _whole(data):
    """The numbers as whole ones over a common denominator; None where they are not all plain and finite."""
    for x in data:
        if is_unknown(x) or not (isinstance(x, (int, float)) or _is_ratio(x)) or isinstance(x, float) and x - x != 0:
            return None
    pairs = [x.as_integer_ratio() for x in data]
    common = 1
    for _, below in pairs:
        common = math.lcm(common, below)
    return [above * (common // below) for above, below in pairs], common


def _is_ratio(x):
    return type(x).__name__ == "Fraction"


def _as(data, above, below):
    """A ratio as a number like those of the data."""
    if any([_is_ratio(x) for x in data]) and not any([isinstance(x, float) for x in data]):
        return type([x for x in data if _is_ratio(x)][0])(above, below)
    if above % below == 0 and all([isinstance(x, int) for x in data]):
        return above // below
    return above / below


def fmean(data, weights=None):
    data = _data(data, "fmean")
    if weights is None:
        return math.fsum(data) / len(data)
    weights = list(weights)
    if len(weights) != len(data):
        raise StatisticsError("data and weights must be the same length")
    total = math.fsum(weights)
    if not total:
        raise StatisticsError("sum of weights must be non-zero")
    return math.fsum([x * w for x, w in zip(data, weights)]) / total


def mean(data):
    data = _data(data, "mean")
    whole = _whole(data)
    if whole is None:
        return math.fsum(data) / len(data)
    return _as(data, sum(whole[0]), whole[1] * len(data))


def geometric_mean(data):
    logs = [math.log(x) for x in data]
    if not logs:
        raise StatisticsError("Must have a non-empty dataset")
    return math.exp(math.fsum(logs) / len(logs))


def harmonic_mean(data, weights=None):
    data = _data(data, "harmonic_mean")
    if weights is not None:
        return unknown("float", "a weighted mean")
    if any([x < 0 for x in data]):
        raise StatisticsError("harmonic mean does not support negative values")
    if any([x == 0 for x in data]):
        return 0
    whole = _whole(data)
    if whole is None:
        return len(data) / math.fsum([1 / x for x in data])
    numbers, below = whole
    product = math.lcm(*numbers)
    return _as(data, len(data) * product, below * sum([product // x for x in numbers]))


def _middle(data):
    data = sorted(data)
    if not data:
        raise StatisticsError("no median for empty data")
    return data, len(data) // 2


def median(data):
    data, half = _middle(data)
    return data[half] if len(data) % 2 else (data[half - 1] + data[half]) / 2


def median_low(data):
    data, half = _middle(data)
    return data[half] if len(data) % 2 else data[half - 1]


def median_high(data):
    data, half = _middle(data)
    return data[half]


def _counts(data):
    counts = {}
    for x in data:
        counts[x] = counts.get(x, 0) + 1
    return counts


def mode(data):
    counts = _counts(data)
    if not counts:
        raise StatisticsError("no mode for empty data")
    return max(counts, key=counts.get)


def multimode(data):
    counts = _counts(data)
    most = max(counts.values(), default=0)
    return [x for x, count in counts.items() if count == most]


def quantiles(data, *, n=4, method="exclusive"):
    if n < 1:
        raise StatisticsError("n must be at least 1")
    data = sorted(data)
    size = len(data)
    if size < 2:
        raise StatisticsError("must have at least two data points")
    if method not in ("inclusive", "exclusive"):
        raise ValueError(f"Unknown method: {method!r}")
    found = []
    for i in range(1, n):
        if method == "inclusive":
            at, part = divmod(i * (size - 1), n)
        else:
            at = min(max(i * (size + 1) // n, 1), size - 1)
            part = i * (size + 1) - at * n
            at -= 1
        found.append((data[at] * (n - part) + data[at + 1] * part) / n)
    return found


def _spread(data, lost):
    """The squares of the distances from the mean over the number of points without `lost` ones, as a ratio."""
    whole = _whole(data)
    if whole is None:
        return None
    numbers, below = whole
    count = len(numbers)
    return count * sum([x * x for x in numbers]) - sum(numbers) ** 2, count * (count - lost) * below * below


def _squares(data):
    center = math.fsum(data) / len(data)
    return math.fsum([(x - center) ** 2 for x in data])


def _variance(data, lost):
    ratio = _spread(data, lost)
    return _squares(data) / (len(data) - lost) if ratio is None else _as(data, ratio[0], ratio[1])


def _root(data, lost):
    ratio = _spread(data, lost)
    if ratio is None:
        return math.sqrt(_variance(data, lost))
    above, below = ratio
    if above == 0:
        return 0.0
    # So many digits that the last one of the number is right.
    shift = max((110 - above.bit_length() + below.bit_length() + 1) // 2, 0)
    square = (above << 2 * shift) // below
    root = math.isqrt(square)
    return (2 * root + (root * root * below != above << 2 * shift)) / (2 << shift)


def variance(data, xbar=None):
    data = _data(data, "variance", 2)
    return _variance(data, 1) if xbar is None else unknown("", "a variance about a given mean")


def pvariance(data, mu=None):
    data = _data(data, "pvariance")
    return _variance(data, 0) if mu is None else unknown("", "a variance about a given mean")


def stdev(data, xbar=None):
    data = _data(data, "stdev", 2)
    return _root(data, 1) if xbar is None else unknown("float", "a deviation from a given mean")


def pstdev(data, mu=None):
    data = _data(data, "pstdev")
    return _root(data, 0) if mu is None else unknown("float", "a deviation from a given mean")


def _pairs(x, y, name):
    x, y = list(x), list(y)
    if len(x) != len(y):
        raise StatisticsError(f"{name} requires that both inputs have same number of data points")
    if len(x) < 2:
        raise StatisticsError(f"{name} requires at least two data points")
    return x, y, math.fsum(x) / len(x), math.fsum(y) / len(y)


def covariance(x, y, /):
    x, y, a, b = _pairs(x, y, "covariance")
    return math.fsum([(p - a) * (q - b) for p, q in zip(x, y)]) / (len(x) - 1)


def correlation(x, y, /):
    x, y, a, b = _pairs(x, y, "correlation")
    both = math.fsum([(p - a) * (q - b) for p, q in zip(x, y)])
    first, second = math.fsum([(p - a) ** 2.0 for p in x]), math.fsum([(q - b) ** 2.0 for q in y])
    if not first * second:
        raise StatisticsError("at least one of the inputs is constant")
    return both / math.sqrt(first * second)
