"""Internal modules whose names are those of public ones; what else they have is not known."""
from importlib import import_module as _import_module

from _jitlens import core as _core


def names(internal, *publics):
    """`__getattr__` of an internal module that has what these public modules have."""
    def __getattr__(name):
        if name.startswith("__"):
            raise AttributeError(f"module {internal!r} has no attribute {name!r}")
        for public in publics:
            found = None if name == "map" else getattr(_import_module(public), name, None)
            # Modules of one name are others, and so is `map`.
            if found is not None and type(found).__name__ != "module":
                return found
        return _core.unknown(f"`{internal}.{name}` is internal and not modelled")
    return __getattr__


def package(internal, modules, *publics):
    """`__getattr__` of an internal package: its modules, and what these public modules have."""
    modules = frozenset(modules.split())
    find = names(internal, *publics)

    def __getattr__(name):
        return _import_module(internal + "." + name) if name in modules else find(name)
    return __getattr__
