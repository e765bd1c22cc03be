"""`jax.extend.core.primitives`: the primitives, each under its name and `_p`."""
from _jitlens import core


def __getattr__(name):
    found = core.any_primitive(name[:-2]) if name.endswith("_p") else None
    if found is None:
        from ... import _removed
        raise AttributeError(_removed.missing("jax.extend.core.primitives", name))
    return found
