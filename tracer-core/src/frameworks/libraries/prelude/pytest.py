"""Tests."""

from _jitlens.python import unknown
from unittest import _Raises


def raises(expected_exception, *args, match=None, **kwargs):
    if args:
        with _Raises(expected_exception):
            args[0](*args[1:], **kwargs)
        return None
    return _Raises(expected_exception)


class FixtureRequest:
    """What a fixture knows of the test that asks for it."""

    def __init__(self, param):
        self.param = param

    def addfinalizer(self, finalizer):
        pass


def fixture(function=None, **kwargs):
    if function is None:
        return lambda function: fixture(function, **kwargs)
    _note(function, "_fixture", kwargs)
    return function


def _note(item, name, value):
    try:
        setattr(item, name, value)
    except (AttributeError, TypeError):
        pass


class Mark:
    def __init__(self, name, args, kwargs):
        self.name, self.args, self.kwargs = name, args, kwargs


class MarkDecorator:
    def __init__(self, name, args=(), kwargs={}):
        self.mark = Mark(name, args, kwargs)

    def __call__(self, *args, **kwargs):
        if len(args) == 1 and callable(args[0]) and not kwargs:
            _note(args[0], "pytestmark", [*getattr(args[0], "pytestmark", []), self.mark])
            return args[0]
        return self.with_args(*args, **kwargs)

    def with_args(self, *args, **kwargs):
        return MarkDecorator(self.mark.name, self.mark.args + args, {**self.mark.kwargs, **kwargs})


class MarkGenerator:
    def __getattr__(self, name):
        return MarkDecorator(name)


mark = MarkGenerator()


def approx(expected, rel=None, abs=None, nan_ok=False):
    return unknown("", "what pytest compares with")


class ParameterSet(tuple):
    """The values of one case of a test."""

    marks = ()


def param(*values, marks=(), **kwargs):
    made = ParameterSet(values)
    made.marks = marks
    return made


def skip(reason="", **kwargs):
    raise SystemExit(0)


def xfail(reason="", **kwargs):
    raise SystemExit(0)


def importorskip(modname, **kwargs):
    return __import__(modname)


def main(args=None, plugins=None):
    return 0


def fail(reason="", pytrace=True):
    raise AssertionError(reason)
