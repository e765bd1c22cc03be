"""Internals of the API: what others use of them, and the rest is unknown."""
import inspect as _inspect
import operator as _operator

from _jitlens import core as _core


def _indices(x):
    return tuple(map(_operator.index, x)) if isinstance(x, (tuple, list, set, range)) else (_operator.index(x),)


def _names(x):
    return (x,) if isinstance(x, str) else tuple(x)


def infer_argnums_and_argnames(sig, argnums, argnames):
    """Places and names of the same parameters, where one of both is given."""
    if argnums is None and argnames is None:
        return (), ()
    named = [(i, name) for i, (name, parameter) in enumerate(sig.parameters.items())
             if parameter.kind == _inspect.Parameter.POSITIONAL_OR_KEYWORD]
    if argnums is None:
        argnames = _names(argnames)
        return tuple([i for i, name in named if name in argnames]), argnames
    argnums = _indices(argnums)
    return argnums, tuple([name for i, name in named if i in argnums]) if argnames is None else _names(argnames)


def __getattr__(name):
    if name in ("flatten_fun", "flatten_fun_nokwargs", "flatten_axes", "shaped_abstractify", "argnums_partial", "debug_info"):
        from jax import api_util
        return getattr(api_util, name)
    return _core.unknown(f"`jax._src.api_util.{name}` is internal and not modelled")
