"""What is done to data before it is learnt from."""

import math

import numpy as np
from _jitlens.python import is_unknown, unknown

from ._arrays import missing, opaque


def _table(X):
    """A table of floats, as estimators take it."""
    if is_unknown(X) or hasattr(X, "iloc") or hasattr(X, "tocsr"):
        return None
    X = np.asarray(X)
    if X.dtype.kind not in "biuf":
        return None
    if X.ndim != 2:
        raise ValueError(f"Expected 2D array, got {'scalar' if X.ndim == 0 else str(X.ndim) + 'D'} array instead")
    return X


def _floats(X):
    """A table of the same sizes."""
    table = _table(X)
    if table is None:
        return unknown("", "a table that is not of numbers")
    return opaque(table.shape, table.dtype.name if table.dtype.kind == "f" else "float64")


class _Scaler:
    """What moves and stretches columns."""

    _learnt = ()

    def __init__(self, *args, **options):
        self.__dict__.update(options)

    def fit(self, X, y=None, sample_weight=None):
        table = _table(X)
        for name in self._learnt:
            setattr(self, name, unknown("", "what was learnt of a table") if table is None else opaque(table.shape[1:]))
        if table is not None:
            self.n_features_in_ = table.shape[1]
        return self

    def transform(self, X, copy=None):
        return _floats(X)

    def inverse_transform(self, X, copy=None):
        return _floats(X)

    def fit_transform(self, X, y=None, **fit_params):
        return self.fit(X).transform(X)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return unknown("", "what was learnt of a table")


class StandardScaler(_Scaler):
    _learnt = ("mean_", "var_", "scale_")


class MinMaxScaler(_Scaler):
    _learnt = ("min_", "scale_", "data_min_", "data_max_", "data_range_")


class MaxAbsScaler(_Scaler):
    _learnt = ("scale_", "max_abs_")


class RobustScaler(_Scaler):
    _learnt = ("center_", "scale_")


class Normalizer(_Scaler):
    pass


class QuantileTransformer(_Scaler):
    pass


class PowerTransformer(_Scaler):
    pass


class PolynomialFeatures:
    """Products of columns, up to a degree."""

    def __init__(self, degree=2, *, interaction_only=False, include_bias=True, order="C"):
        self.degree, self.interaction_only, self.include_bias = degree, interaction_only, include_bias

    def fit(self, X, y=None):
        return self

    def transform(self, X):
        table = _table(X)
        if table is None or not isinstance(self.degree, int):
            return unknown("", "a table that is not of numbers")
        n, bias = table.shape[1], 1 if self.include_bias else 0
        if self.interaction_only:
            width = sum([math.comb(n, k) for k in range(1, self.degree + 1)]) + bias
        else:
            width = math.comb(n + self.degree, self.degree) - 1 + bias
        return opaque((table.shape[0], width), table.dtype.name if table.dtype.kind == "f" else "float64")

    def fit_transform(self, X, y=None, **fit_params):
        return self.transform(X)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return unknown("", "what was learnt of a table")


class LabelEncoder:
    """Numbers for labels."""

    def fit(self, y):
        return self

    def transform(self, y):
        return unknown("", "what is not known") if is_unknown(y) else opaque((len(y),), "int64")

    def fit_transform(self, y):
        return self.transform(y)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return unknown("", "the labels of a data set")


def scale(X, *, axis=0, with_mean=True, with_std=True, copy=True):
    if is_unknown(X) or np.ndim(X) != 2:
        return unknown("", "a table that is not of numbers")
    return _floats(X)


def minmax_scale(X, feature_range=(0, 1), *, axis=0, copy=True):
    return scale(X)


def normalize(X, norm="l2", *, axis=1, copy=True, return_norm=False):
    return unknown("", "a table with its norms") if return_norm is not False else _floats(X)


def __getattr__(name):
    return missing("sklearn.preprocessing", name)
