"""`numpy.lib`: of its members, `stride_tricks` is modelled."""
from . import stride_tricks


def __getattr__(name):
    from .. import _names
    return _names.missing("numpy.lib", name)
