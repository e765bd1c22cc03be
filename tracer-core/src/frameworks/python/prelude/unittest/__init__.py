"""Tests."""

from _jitlens.python import is_unknown, unknown


class SkipTest(Exception):
    pass


class _Raises:
    """What a test expects may come of what is not modelled, or depend on numbers: that it is not seen means nothing."""

    def __init__(self, expected):
        self.expected = expected

    def __enter__(self):
        return self

    def __exit__(self, kind, value, traceback):
        self.exception = self.value = unknown("", "an error that is expected and not seen") if kind is None else value
        return kind is not None and issubclass(kind, self.expected)


class _Warns:
    """A block that is to warn: of which warnings there were nothing is known."""

    def __init__(self):
        self.warning = self.warnings = unknown("", "the warnings of a block")
        self.filename, self.lineno = unknown("str", "the place of a warning"), unknown("int", "the place of a warning")

    def __enter__(self):
        import warnings

        self._silence = warnings.catch_warnings()
        self._silence.__enter__()
        return self

    def __exit__(self, *exception):
        self._silence.__exit__(*exception)


class _Logs:
    """A block whose logs are kept: those of the program. That there are none means nothing."""

    def __init__(self, logger, level):
        import logging

        self._logger = logger if isinstance(logger, logging.Logger) else logging.getLogger(logger)
        self._level = logging.INFO if level is None else level
        self._kept = []

    @property
    def records(self):
        return self._kept or unknown("", "the logs of a block")

    @property
    def output(self):
        return [f"{r.levelname}:{r.name}:{r.getMessage()}" for r in self._kept] or unknown("", "the logs of a block")

    def __enter__(self):
        import logging

        handler = logging.Handler(self._level)
        handler.emit = self._kept.append
        self._before = self._logger.handlers, self._logger.level, self._logger.propagate
        self._logger.handlers, self._logger.propagate = [handler], False
        self._logger.setLevel(self._level)
        return self

    def __exit__(self, *exception):
        self._logger.handlers, self._logger.level, self._logger.propagate = self._before


def _check(test, msg, text=None):
    """Fails where it is known that a test does: `text()` says what is wrong."""
    if not is_unknown(test) and not test:
        if text is not None:
            msg = text() if msg is None else f"{text()} : {msg}"
        raise AssertionError(msg)


class TestCase:
    failureException = AssertionError
    longMessage = True
    maxDiff = 640

    def __init__(self, methodName="runTest"):
        self._testMethodName = methodName

    def setUp(self):
        pass

    tearDown = setUp

    @classmethod
    def setUpClass(cls):
        pass

    tearDownClass = setUpClass

    def assertTrue(self, expr, msg=None):
        _check(expr, msg, lambda: f"{expr!r} is not true")

    def assertFalse(self, expr, msg=None):
        _check(not expr, msg, lambda: f"{expr!r} is not false")

    def assertEqual(self, first, second, msg=None):
        _check(first == second, msg, lambda: _differing(first, second))

    assertListEqual = assertDictEqual = assertTupleEqual = assertSetEqual = assertEqual

    def assertSequenceEqual(self, first, second, msg=None, seq_type=None):
        if not is_unknown(first) and not is_unknown(second):
            _check(list(first) == list(second), msg, lambda: f"Sequences differ: {first!r} != {second!r}")

    def assertCountEqual(self, first, second, msg=None):
        if is_unknown(first) or is_unknown(second):
            return
        rest, extra = list(second), []
        for x in first:
            known = [is_unknown(x == y) for y in rest]
            if any(known):
                return
            if x in rest:
                rest.remove(x)
            else:
                extra.append(x)
        _check(not rest and not extra, msg, lambda: "Element counts were not equal:")

    def addTypeEqualityFunc(self, typeobj, function):
        pass

    def countTestCases(self):
        return 1

    def assertNotEqual(self, first, second, msg=None):
        _check(first != second, msg, lambda: f"{first!r} == {second!r}")

    def assertIs(self, a, b, msg=None):
        _check(a is b, msg, lambda: f"{a!r} is not {b!r}")

    def assertIsNot(self, a, b, msg=None):
        _check(a is not b, msg, lambda: f"unexpectedly identical: {a!r}")

    def assertIsNone(self, a, msg=None):
        _check(a is None, msg, lambda: f"{a!r} is not None")

    def assertIsNotNone(self, a, msg=None):
        _check(a is not None, msg, lambda: "unexpectedly None")

    def assertIn(self, a, b, msg=None):
        _check(a in b, msg, lambda: f"{a!r} not found in {b!r}")

    def assertNotIn(self, a, b, msg=None):
        _check(a not in b, msg, lambda: f"{a!r} unexpectedly found in {b!r}")

    def assertIsInstance(self, a, b, msg=None):
        _check(isinstance(a, b), msg, lambda: f"{a!r} is not an instance of {b!r}")

    def assertNotIsInstance(self, a, b, msg=None):
        _check(not isinstance(a, b), msg, lambda: f"{a!r} is an instance of {b!r}")

    def assertRegex(self, text, regex, msg=None):
        import re

        _check(re.search(regex, text), msg)

    def assertNotRegex(self, text, regex, msg=None):
        import re

        _check(not re.search(regex, text), msg)

    def assertNotAlmostEqual(self, first, second, places=7, msg=None, delta=None):
        pass

    def assertMultiLineEqual(self, first, second, msg=None):
        _check(first == second, msg, lambda: f"{first!r} != {second!r}")

    def assertLess(self, a, b, msg=None):
        _check(a < b, msg, lambda: f"{a!r} not less than {b!r}")

    def assertLessEqual(self, a, b, msg=None):
        _check(a <= b, msg, lambda: f"{a!r} not less than or equal to {b!r}")

    def assertGreater(self, a, b, msg=None):
        _check(a > b, msg, lambda: f"{a!r} not greater than {b!r}")

    def assertGreaterEqual(self, a, b, msg=None):
        _check(a >= b, msg, lambda: f"{a!r} not greater than or equal to {b!r}")

    def assertAlmostEqual(self, first, second, places=None, msg=None, delta=None):
        if (first == second) is True:
            return
        places = 7 if places is None else places
        close = abs(first - second) <= delta if delta is not None else round(abs(second - first), places) == 0
        within = f"{places} places" if delta is None else f"{delta!r} delta"
        _check(close, msg, lambda: f"{first!r} != {second!r} within {within} ({abs(first - second)!r} difference)")

    def assertRaises(self, expected, callable=None, *args, **kwargs):
        if callable is None:
            return _Raises(expected)
        with _Raises(expected):
            callable(*args, **kwargs)

    def assertRaisesRegex(self, expected, regex, callable=None, *args, **kwargs):
        return self.assertRaises(expected, callable, *args, **kwargs)

    def assertWarns(self, expected, callable=None, *args, **kwargs):
        if callable is None:
            return _Warns()
        with _Warns():
            callable(*args, **kwargs)

    def assertWarnsRegex(self, expected, regex, callable=None, *args, **kwargs):
        return self.assertWarns(expected, callable, *args, **kwargs)

    def assertLogs(self, logger=None, level=None):
        return _Logs(logger, level)

    def assertNoLogs(self, logger=None, level=None):
        return _nothing()

    def subTest(self, msg=None, **params):
        return _nothing()

    def addCleanup(self, function, *args, **kwargs):
        pass

    def enterContext(self, manager):
        return manager.__enter__()

    def id(self):
        return f"{type(self).__module__}.{type(self).__qualname__}.{self._testMethodName}"

    def shortDescription(self):
        text = getattr(type(self), self._testMethodName).__doc__
        return text.strip().split("\n")[0].strip() if text else None

    def skipTest(self, reason):
        raise SkipTest(reason)

    def fail(self, msg=None):
        raise AssertionError(msg)


def _differing(first, second):
    """What is said of two values that differ; of lists and tuples, other lines tell where."""
    kind, text = type(first), f"{first!r} != {second!r}"
    if kind is type(second) and kind in (list, tuple):
        return f"{'Lists' if kind is list else 'Tuples'} differ: {text}\n"
    return text


def _nothing():
    from contextlib import nullcontext

    return nullcontext()


def _with(item, name):
    setattr(item, name, True)
    return item


def skip(reason):
    if callable(reason):
        return _with(reason, "__unittest_skip__")
    return lambda item: _with(item, "__unittest_skip__")


def skipIf(condition, reason):
    return skip(reason) if condition else lambda item: item


def skipUnless(condition, reason):
    return skipIf(not condition, reason)


def expectedFailure(test_item):
    return _with(test_item, "__unittest_expecting_failure__")


def main(*args, **kwargs):
    return None
