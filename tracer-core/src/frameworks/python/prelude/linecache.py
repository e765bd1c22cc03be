"""What this module does depends on the world outside, or is of no interest to arrays."""

from _jitlens.python import unknown

# What a program puts there for texts that it makes.
cache = {}


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return unknown("", f"`linecache.{name}` is not modelled")
