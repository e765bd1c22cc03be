"""Imports by name."""

from _jitlens.python import unknown


def import_module(name, package=None):
    if name.startswith("."):
        level = len(name) - len(name.lstrip("."))
        parts = package.split(".")
        name = ".".join(parts[: len(parts) - level + 1] + [name[level:]])
    __import__(name)
    import sys

    return sys.modules[name] if name in sys.modules else __import__(name)


def reload(module):
    return module


def invalidate_caches():
    return None


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return unknown("", f"`importlib.{name}` is not modelled")
