"""`jax.experimental`."""
from _jitlens import core

# Names that are there and not modelled. A name that is missing otherwise is the program's mistake.
__unmodelled__ = ("jax2tf",)


def __getattr__(name):
    if name == "io_callback":
        from .._callbacks import io_callback
        return io_callback
    if name == "EArray" or name == "primal_tangent_dtype":
        return core.unmodelled("jax.experimental." + name)
    # `device_put` imports the second one, so it is mostly there.
    if name in ("compilation_cache", "multihost_utils"):
        from importlib import import_module
        return import_module("." + name, __name__)
    from .. import _removed
    raise AttributeError(_removed.missing("jax.experimental", name))


def cur_qdd(x):
    return x.cur_qdd
