"""`jax.numpy`. Functions live in files by family and are loaded when first asked for."""
from _jitlens import core

from . import _names

# Names that are there and not modelled. A name that is missing otherwise is the program's mistake.
__unmodelled__ = ()


def __getattr__(name):
    value = _names.find(name)
    if value is _names.MISSING:
        raise AttributeError(_names.missing(name))
    globals()[name] = value
    return value


def __dir__():
    return sorted(_names.public())
