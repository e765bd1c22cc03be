"""`jax.experimental.pjit`: `jit` under its old name."""
from _jitlens import core


def __getattr__(name):
    if name == "pjit":
        core.warn("jax.experimental.pjit.pjit has been deprecated. Please use `jax.jit` instead.", DeprecationWarning, stacklevel=2)
        return core.full_jit
    from .. import _removed
    raise AttributeError(_removed.missing("jax.experimental.pjit", name))
