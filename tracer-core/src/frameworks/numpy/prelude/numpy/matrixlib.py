"""`numpy.matrixlib`: there, and not modelled."""


def __getattr__(name):
    from . import _names
    return _names.missing("numpy.matrixlib", name)
