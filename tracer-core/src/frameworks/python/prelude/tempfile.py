"""Temporary files are not made."""

from _jitlens.python import unknown


def _place(*args, **kwargs):
    return unknown("str", "a temporary place")


mkdtemp = gettempdir = mktemp = _place


def mkstemp(*args, **kwargs):
    return unknown("int", "a temporary place"), _place()


class TemporaryDirectory:
    def __init__(self, *args, **kwargs):
        self.name = _place()

    def __enter__(self):
        return self.name

    def __exit__(self, *exc):
        return None

    def cleanup(self):
        return None


def NamedTemporaryFile(*args, **kwargs):
    return unknown("", "a temporary file")


TemporaryFile = SpooledTemporaryFile = NamedTemporaryFile
