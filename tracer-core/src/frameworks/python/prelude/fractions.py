"""Exact ratios are not modelled."""

from _jitlens.python import unknown


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return unknown("", f"`fractions.{name}` is not modelled")
