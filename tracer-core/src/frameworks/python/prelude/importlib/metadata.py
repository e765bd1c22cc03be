"""`importlib.metadata`: what is installed is not known."""

from _jitlens.python import unknown


class PackageNotFoundError(ModuleNotFoundError):
    pass


def version(distribution_name):
    return unknown("str", "the version of a package")


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return unknown("", f"`importlib.metadata.{name}` is not modelled")
