"""Parts of data sets."""

import math

import numpy as np
from _jitlens.python import is_unknown, unknown
from numpy.random._given import lose, stream_of

from ._arrays import missing, opaque


def _parts(n, test_size, train_size):
    """How many rows are for tests and for training."""
    if test_size is None and train_size is None:
        test_size = 0.25
    test = None if test_size is None else math.ceil(test_size * n) if isinstance(test_size, float) else test_size
    train = None if train_size is None else math.floor(train_size * n) if isinstance(train_size, float) else train_size
    if train is None:
        train = n - test
    elif test is None:
        test = n - train
    if train + test > n:
        raise ValueError(
            f"The sum of train_size and test_size = {train + test}, should be smaller than the number of samples {n}. "
            "Reduce test_size and/or train_size."
        )
    return int(train), int(test)


def _taken(array, rows, count):
    """Some rows of an array; of a list, a list."""
    if rows is not None:
        return array[rows] if hasattr(array, "shape") else [array[int(row)] for row in rows]
    if not hasattr(array, "shape"):
        return unknown("", "rows that are drawn at random")
    # Which rows they are is not known: one of them stands for all.
    return array[opaque((count,), "int64")]


def train_test_split(*arrays, test_size=None, train_size=None, random_state=None, shuffle=True, stratify=None):
    if not arrays:
        raise ValueError("At least one array required as input")
    if any([is_unknown(x) for x in (*arrays, test_size, train_size, shuffle)]):
        return unknown("", "parts of what is not known")
    if any([hasattr(a, "iloc") or hasattr(a, "tocsr") for a in arrays]):
        return unknown("", "parts of a frame")
    lengths = [len(a) for a in arrays]
    if any([n != lengths[0] for n in lengths]):
        raise ValueError(f"Found input variables with inconsistent numbers of samples: {lengths!r}")
    n = lengths[0]
    train, test = _parts(n, test_size, train_size)
    if not shuffle:
        rows = np.arange(train), np.arange(train, train + test)
    elif stratify is None and (isinstance(random_state, int) or all([hasattr(a, "shape") for a in arrays])):
        order = stream_of(random_state).permutation(n)
        rows = order[test : test + train], order[:test]
    else:
        lose(random_state)
        rows = None, None
    return [part for array in arrays for part in (_taken(array, rows[0], train), _taken(array, rows[1], test))]


class KFold:
    """Folds of even sizes, the larger ones first."""

    def __init__(self, n_splits=5, *, shuffle=False, random_state=None):
        self.n_splits, self.shuffle, self.random_state = n_splits, shuffle, random_state

    def get_n_splits(self, X=None, y=None, groups=None):
        return self.n_splits

    def split(self, X, y=None, groups=None):
        n, k = len(X), self.n_splits
        order = np.arange(n)
        known = not self.shuffle or isinstance(self.random_state, int)
        if self.shuffle and known:
            np.random.RandomState(self.random_state).shuffle(order)
        elif self.shuffle:
            lose(self.random_state)
        start = 0
        for fold in range(k):
            size = n // k + (1 if fold < n % k else 0)
            if known:
                inside = np.zeros(n, bool)
                inside[order[start : start + size]] = True
                yield np.arange(n)[~inside], np.arange(n)[inside]
            else:
                yield opaque((n - size,), "int64"), opaque((size,), "int64")
            start += size


def __getattr__(name):
    return missing("sklearn.model_selection", name)
