"""Simple statistics."""

import math


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


def fmean(data, weights=None):
    data = _data(data, "fmean")
    if weights is None:
        return math.fsum(data) / len(data)
    return math.fsum([x * w for x, w in zip(data, weights)]) / math.fsum(weights)


def mean(data):
    data = _data(data, "mean")
    total = sum(data) if all([isinstance(x, int) for x in data]) else math.fsum(data)
    if isinstance(total, int) and total % len(data) == 0:
        return total // len(data)
    return total / len(data)


def median(data):
    data = sorted(data)
    n = len(data)
    if n == 0:
        raise StatisticsError("no median for empty data")
    return data[n // 2] if n % 2 else (data[n // 2 - 1] + data[n // 2]) / 2


def mode(data):
    counts = {}
    for x in data:
        counts[x] = counts.get(x, 0) + 1
    if not counts:
        raise StatisticsError("no mode for empty data")
    return max(counts, key=counts.get)


def _squares(data):
    center = math.fsum(data) / len(data)
    return math.fsum([(x - center) ** 2 for x in data])


def variance(data, xbar=None):
    data = _data(data, "variance", 2)
    return _squares(data) / (len(data) - 1)


def pvariance(data, mu=None):
    data = _data(data, "pvariance")
    return _squares(data) / len(data)


def stdev(data, xbar=None):
    return math.sqrt(variance(_data(data, "stdev", 2)))


def pstdev(data, mu=None):
    return math.sqrt(pvariance(_data(data, "pstdev")))
