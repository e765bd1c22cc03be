"""`numpy.lib`: of its members, `stride_tricks` and `mixins` are modelled."""
from . import mixins, stride_tricks


def __getattr__(name):
    from .. import _names
    return _names.missing("numpy.lib", name)
