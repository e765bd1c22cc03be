"""`numpy.emath`: there, and not modelled."""


def __getattr__(name):
    from . import _names
    return _names.missing("numpy.emath", name)
