"""`jax.interpreters`."""

# Names that are there and not modelled. A name that is missing otherwise is the program's mistake.
__unmodelled__ = ()


def __getattr__(name):
    if name in ("ad", "batching", "mlir", "partial_eval", "pxla", "xla"):
        from importlib import import_module
        return import_module("." + name, __name__)
    from .. import _removed
    raise AttributeError(_removed.missing("jax.interpreters", name))
