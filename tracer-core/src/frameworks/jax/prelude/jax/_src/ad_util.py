"""What derivatives share, under its internal name."""
from _jitlens import core as _core

from ..interpreters.ad import Zero, add_jaxvals, instantiate_zeros as instantiate, zeros_like_aval

SymbolicZero = _core.SymbolicZero
stop_gradient_p = _core.any_primitive("stop_gradient")


def __getattr__(name):
    return _core.unknown(f"`jax._src.ad_util.{name}` is internal and not modelled")
