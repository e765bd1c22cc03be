"""`importlib.metadata`: of what is installed the versions are known that the environment's folders tell."""

from _jitlens.python import unknown, version_of


class PackageNotFoundError(ModuleNotFoundError):
    pass


def version(distribution_name):
    found = version_of(distribution_name)
    return unknown("str", "the version of a package") if found is None else found


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return unknown("", f"`importlib.metadata.{name}` is not modelled")
