"""Modules that exist in JAX and are not modelled: their names are unknown values, other names are errors as in JAX."""
from _jitlens import core

from . import _removed


def names(module, known):
    """A module-level `__getattr__` under which each of the names `known` is an unknown value."""
    known = frozenset(known.split())

    def __getattr__(name):
        if name in known:
            return core.unmodelled(f"{module}.{name}")
        raise AttributeError(_removed.missing(module, name))
    return __getattr__
