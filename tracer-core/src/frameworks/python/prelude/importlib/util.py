"""`importlib.util`: which modules are there, as far as that is known."""

from _jitlens.python import is_installed, unknown


class _Spec:
    def __init__(self, name):
        self.name = name
        self.parent = name.rpartition(".")[0]

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return unknown("", f"`{name}` of a module's specification")


def find_spec(name, package=None):
    found = is_installed(name)
    if found is None:
        return unknown("", "whether a module is installed")
    return _Spec(name) if found else None


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return unknown("", f"`importlib.util.{name}` is not modelled")
