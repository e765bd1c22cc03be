"""Modules that exist in JAX and are not modelled: their names are unknown values, other names are errors as in JAX."""
from _jitlens import core

from . import _removed


def names(module, known, classes=None):
    """A module-level `__getattr__` under which each of the names `known` is an unknown value, and those of them that are in `classes`
    are classes, of which the module and the name of the base are known alone."""
    known, classes = frozenset(known.split()), classes or {}

    def __getattr__(name):
        if name in classes:
            where, base = classes[name]
            return core.unmodelled_class(where, name, core.unmodelled_class(*base) if base else None)
        if name in known:
            return core.unmodelled(f"{module}.{name}")
        raise AttributeError(_removed.missing(module, name))
    return __getattr__
