"""The core under its internal name."""
from _jitlens import core as _core


def __getattr__(name):
    import jax
    if name in ("Jaxpr", "ClosedJaxpr", "JaxprEqn", "Var", "Literal", "jaxpr_as_fun"):
        from jax.extend import core as home
        return getattr(home, name)
    if name == "trace_state_clean":
        return _core.trace_state_clean
    found = getattr(jax.core, name, None)
    return _core.unknown(f"`jax._src.core.{name}` is internal and not modelled") if found is None else found
