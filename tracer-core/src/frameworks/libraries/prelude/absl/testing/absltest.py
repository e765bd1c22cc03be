"""Tests."""

from _jitlens.python import unknown
from unittest import SkipTest, expectedFailure, main, skip, skipIf, skipUnless
from unittest import TestCase as _TestCase


class TestCase(_TestCase):
    def __getattr__(self, name):
        # What it asserts beyond unittest's own.
        if name.startswith("assert"):
            return _nothing
        if name.startswith("create_temp"):
            return lambda *args, **kwargs: unknown("", "a file that a test makes")
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")


def _nothing(*args, **kwargs):
    return None
