"""Matplotlib: nothing is drawn. What is known is which axes there are."""

from ._missing import missing


def __getattr__(name):
    if name == "pyplot":
        from importlib import import_module
        return import_module("matplotlib.pyplot")
    return missing("matplotlib", name)
