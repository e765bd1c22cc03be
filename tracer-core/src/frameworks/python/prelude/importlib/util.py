"""`importlib.util`: whether modules are there is not known."""

from _jitlens.python import unknown


def find_spec(name, package=None):
    return unknown("", "whether a module is installed")


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return unknown("", f"`importlib.util.{name}` is not modelled")
