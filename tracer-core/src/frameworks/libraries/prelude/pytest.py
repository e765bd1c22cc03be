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


class _MarkDecorator:
    def __init__(self, name):
        self.name = name
        self.args, self.kwargs = (), {}

    def __call__(self, *args, **kwargs):
        return args[0] if len(args) == 1 and callable(args[0]) and not kwargs else self

    def with_args(self, *args, **kwargs):
        return self


class _Mark:
    def __getattr__(self, name):
        return _MarkDecorator(name)


mark = _Mark()


def approx(expected, rel=None, abs=None, nan_ok=False):
    return unknown("", "what pytest compares with")


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
