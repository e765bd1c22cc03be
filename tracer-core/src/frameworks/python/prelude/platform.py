"""What this module does depends on the world outside, or is of no interest to arrays."""

from _jitlens.python import unknown


def python_implementation():
    return "CPython"


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return unknown("", f"`platform.{name}` is not modelled")
