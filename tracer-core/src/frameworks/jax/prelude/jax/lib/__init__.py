"""`jax.lib`: nothing is left in it."""

# Names that are there and not modelled. A name that is missing otherwise is the program's mistake.
__unmodelled__ = ()


def __getattr__(name):
    from .. import _removed
    raise AttributeError(_removed.missing("jax.lib", name))
