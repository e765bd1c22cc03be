"""`numpy.char`: functions of arrays of texts."""


def __getattr__(name):
    from . import _strings
    return _strings.find("numpy.char", name)
