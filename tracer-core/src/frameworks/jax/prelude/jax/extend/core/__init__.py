"""`jax.extend.core`: jaxprs and primitives."""
from functools import partial

from _jitlens import core

Primitive, Jaxpr, ClosedJaxpr, JaxprEqn, Var, Literal, Token = [
    core.jaxpr_class(name) for name in ("Primitive", "Jaxpr", "ClosedJaxpr", "JaxprEqn", "Var", "Literal", "Token")]

_UNMODELLED = frozenset("""
    AbstractToken CallPrimitive DebugInfo DropVar Effect Effects TraceTag array_types call_impl check_jaxpr find_top_trace gensym
    get_opaque_trace_state jaxprs_in_params mapped_aval new_jaxpr_eqn no_effects nonempty_axis_env_DO_NOT_USE
    primal_dtype_to_tangent_dtype set_current_trace subjaxprs take_current_trace unmapped_aval unsafe_am_i_under_a_jit_DO_NOT_USE
    unsafe_am_i_under_a_vmap_DO_NOT_USE unsafe_get_axis_names_DO_NOT_USE
    """.split())


def jaxpr_as_fun(closed_jaxpr, *args):
    return partial(core.eval_jaxpr, closed_jaxpr, *args)


def concrete_or_error(force, val, context=""):
    if force is None:
        return core.concrete(val, context)
    if force is int:
        return core.concrete_int(val, context)
    if force is bool:
        return core.concrete_bool(val, context)
    return force(core.concrete(val, context))


def valid_jaxtype(x):
    return core.is_jaxtype(x)


def __getattr__(name):
    if name == "primitives":
        from importlib import import_module
        return import_module(".primitives", __name__)
    if name in ("InconclusiveDimensionOperation", "JaxprTypeError"):
        return getattr(core, name)
    if name in _UNMODELLED:
        return core.unmodelled("jax.extend.core." + name)
    from ... import _removed
    raise AttributeError(_removed.missing("jax.extend.core", name))
