"""`jax.ad_checkpoint`."""
from _jitlens import core

from ._remat import checkpoint_name, checkpoint_policies

Saveable, Recompute, Offloadable = core.SAVEABLE, core.RECOMPUTE, core.offloadable


def print_saved_residuals(f, *args, **kwargs):
    for aval, source in core.saved_residuals(f, args, kwargs):
        print(f"{aval.str_short(short_dtypes=True)} {source}")


def __getattr__(name):
    from . import _removed
    raise AttributeError(_removed.missing("jax.ad_checkpoint", name))
