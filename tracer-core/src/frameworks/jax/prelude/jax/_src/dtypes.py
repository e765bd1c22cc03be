"""Dtypes under their internal name."""
from jax.dtypes import *  # noqa: F401,F403
from jax.dtypes import TypePromotionError  # noqa: F401
from jax.numpy import promote_types, result_type  # noqa: F401


def __getattr__(name):
    from _jitlens import core
    return core.unknown(f"`jax._src.dtypes.{name}` is internal and not modelled")
