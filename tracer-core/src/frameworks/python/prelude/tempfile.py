"""Temporary files are not made."""

from _jitlens.python import unknown


def _place():
    return unknown("str", "a temporary place")


def mkdtemp(suffix=None, prefix=None, dir=None):
    return _place()


def mktemp(suffix="", prefix="tmp", dir=None):
    return _place()


def gettempdir():
    return _place()


def mkstemp(suffix=None, prefix=None, dir=None, text=False):
    return unknown("int", "a temporary place"), _place()


class TemporaryDirectory:
    def __init__(self, suffix=None, prefix=None, dir=None, ignore_cleanup_errors=False, *, delete=True):
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
