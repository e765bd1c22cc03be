"""Arrays of which only shape and type are known, and unknown values in the package's words."""

from _jitlens import core
from _jitlens.python import is_unknown, unknown


def opaque(shape, dtype="float64"):
    """An array of this shape and type; unknown where one of its sizes is."""
    if any([is_unknown(size) for size in shape]):
        return unknown("", "a size of a data set")
    return core.numpy_opaque(tuple(shape), core.named_dtype(dtype))


def missing(module, name):
    """What is not modelled."""
    if name.startswith("__"):
        raise AttributeError(name)
    return unknown("", f"`{module}.{name}` is not modelled")
