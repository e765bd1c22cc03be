"""Tests."""

from _jitlens.python import unknown
from unittest import _Raises


def raises(expected_exception, *args, match=None, **kwargs):
    if args:
        with _Raises(expected_exception):
            args[0](*args[1:], **kwargs)
        return None
    return _Raises(expected_exception)


def fixture(function=None, **kwargs):
    return function if function is not None else lambda function: function


class _Mark:
    def __getattr__(self, name):
        return lambda *args, **kwargs: args[0] if len(args) == 1 and callable(args[0]) and not kwargs else lambda item: item


mark = _Mark()


def approx(expected, rel=None, abs=None, nan_ok=False):
    return _Approx(expected, 1e-6 if rel is None else rel, 1e-12 if abs is None else abs)


class _Approx:
    def __init__(self, expected, rel, tolerance):
        self.expected, self.rel, self.tolerance = expected, rel, tolerance

    def __eq__(self, actual):
        return abs(actual - self.expected) <= max(self.rel * abs(self.expected), self.tolerance)

    __hash__ = None


def param(*values, **kwargs):
    return values


def skip(reason="", **kwargs):
    raise SystemExit(0)


def importorskip(modname, **kwargs):
    return __import__(modname)


def main(args=None, plugins=None):
    return 0


def fail(reason="", pytrace=True):
    raise AssertionError(reason)
