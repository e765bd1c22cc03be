"""What is not modelled: the same as if the package were not there."""

from _jitlens.python import unknown


def missing(module, name):
    if name.startswith("__"):
        raise AttributeError(name)
    return unknown("", f"module `{module}` is neither modelled nor found")
