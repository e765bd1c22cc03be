"""`numpy.core`: the former name of NumPy's inside, of which the public names are NumPy's own."""
from _jitlens import core as engine


def __getattr__(name):
    import numpy
    from .. import _names
    return getattr(numpy, name) if name in _names.of("numpy") else engine.unmodelled(f"numpy.core.{name}")
