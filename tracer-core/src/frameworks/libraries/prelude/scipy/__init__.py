"""SciPy: what takes functions of the program is called as SciPy calls it; little is computed."""

from _jitlens.python import unknown

__version__ = "1.17.1"


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    if name in ("constants", "fft", "integrate", "interpolate", "linalg", "ndimage", "optimize", "signal",
                "sparse", "spatial", "special", "stats"):
        from importlib import import_module
        return import_module("scipy." + name)
    return unknown("", f"`scipy.{name}` is not modelled")
