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


def _check(test, msg):
    if not is_unknown(test) and not test:
        raise AssertionError(msg)


class TestCase:
    def __init__(self, methodName="runTest"):
        pass

    def setUp(self):
        pass

    tearDown = setUp

    @classmethod
    def setUpClass(cls):
        pass

    tearDownClass = setUpClass

    def assertTrue(self, expr, msg=None):
        _check(expr, msg)

    def assertFalse(self, expr, msg=None):
        _check(not expr, msg)

    def assertEqual(self, first, second, msg=None):
        _check(first == second, msg or f"{first!r} != {second!r}")

    assertListEqual = assertDictEqual = assertTupleEqual = assertSetEqual = assertSequenceEqual = assertCountEqual = assertEqual

    def assertNotEqual(self, first, second, msg=None):
        _check(first != second, msg)

    def assertIs(self, a, b, msg=None):
        _check(a is b, msg)

    def assertIsNot(self, a, b, msg=None):
        _check(a is not b, msg)

    def assertIsNone(self, a, msg=None):
        _check(a is None, msg)

    def assertIsNotNone(self, a, msg=None):
        _check(a is not None, msg)

    def assertIn(self, a, b, msg=None):
        _check(a in b, msg)

    def assertNotIn(self, a, b, msg=None):
        _check(a not in b, msg)

    def assertIsInstance(self, a, b, msg=None):
        _check(isinstance(a, b), msg)

    def assertNotIsInstance(self, a, b, msg=None):
        _check(not isinstance(a, b), msg)

    def assertRegex(self, text, regex, msg=None):
        import re

        _check(re.search(regex, text), msg)

    def assertNotRegex(self, text, regex, msg=None):
        import re

        _check(not re.search(regex, text), msg)

    def assertNotAlmostEqual(self, first, second, places=7, msg=None, delta=None):
        pass

    def assertMultiLineEqual(self, first, second, msg=None):
        _check(first == second, msg)

    def assertLess(self, a, b, msg=None):
        _check(a < b, msg)

    def assertLessEqual(self, a, b, msg=None):
        _check(a <= b, msg)

    def assertGreater(self, a, b, msg=None):
        _check(a > b, msg)

    def assertGreaterEqual(self, a, b, msg=None):
        _check(a >= b, msg)

    def assertAlmostEqual(self, first, second, places=7, msg=None, delta=None):
        close = abs(first - second) <= delta if delta is not None else round(abs(second - first), places) == 0
        _check(close, msg)

    def assertRaises(self, expected, callable=None, *args, **kwargs):
        if callable is None:
            return _Raises(expected)
        with _Raises(expected):
            callable(*args, **kwargs)

    def assertRaisesRegex(self, expected, regex, callable=None, *args, **kwargs):
        return self.assertRaises(expected, callable, *args, **kwargs)

    assertLogs = assertNoLogs = assertWarns = assertWarnsRegex = lambda self, *args, **kwargs: _nothing()

    def subTest(self, msg=None, **params):
        return _nothing()

    def addCleanup(self, function, *args, **kwargs):
        pass

    def enterContext(self, manager):
        return manager.__enter__()

    def id(self):
        return type(self).__name__

    shortDescription = id

    def skipTest(self, reason):
        raise SkipTest(reason)

    def fail(self, msg=None):
        raise AssertionError(msg)


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
