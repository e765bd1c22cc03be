"""`jax.extend.core`: jaxprs and primitives."""
from functools import partial

from _jitlens import core

from ..._traces import current as find_top_trace
from ._primitive import Primitive

_UNMODELLED = frozenset("""
    Token
    AbstractToken CallPrimitive DebugInfo DropVar Effect Effects TraceTag array_types call_impl check_jaxpr gensym
    jaxprs_in_params new_jaxpr_eqn no_effects nonempty_axis_env_DO_NOT_USE
    primal_dtype_to_tangent_dtype set_current_trace subjaxprs take_current_trace unsafe_am_i_under_a_jit_DO_NOT_USE
    unsafe_am_i_under_a_vmap_DO_NOT_USE unsafe_get_axis_names_DO_NOT_USE
    """.split())


def mapped_aval(size, axis, aval):
    """The type of one element along an axis."""
    if axis is None:
        return aval
    shape = list(aval.shape)
    assert shape[axis] == size, (shape, axis, size)
    del shape[axis]
    return aval.update(shape=tuple(shape))


def unmapped_aval(size, axis, aval, explicit_mesh_axis=None):
    """The type with an axis more."""
    if axis is None:
        return aval
    shape = list(aval.shape)
    shape.insert(axis if axis >= 0 else axis + len(shape) + 1, size)
    return aval.update(shape=tuple(shape))


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


class OpaqueTraceState:
    """Equal while the same trace is the current one."""

    def __init__(self, identity):
        self._identity = identity

    def __eq__(self, other):
        return isinstance(other, OpaqueTraceState) and self._identity == other._identity

    def __hash__(self):
        return hash(self._identity)


def get_opaque_trace_state(convention=None):
    return OpaqueTraceState(core.trace_identity())


def valid_jaxtype(x):
    return core.is_jaxtype(x)


def __getattr__(name):
    if name == "primitives":
        from importlib import import_module
        return import_module(".primitives", __name__)
    if name in ("InconclusiveDimensionOperation", "JaxprTypeError"):
        return getattr(core, name)
    if name in ("Jaxpr", "ClosedJaxpr"):
        return getattr(core, name)
    if name in ("JaxprEqn", "Var", "Literal"):
        from ... import _jaxprs
        return getattr(_jaxprs, name)
    if name in _UNMODELLED:
        return core.unmodelled("jax.extend.core." + name)
    from ... import _removed
    raise AttributeError(_removed.missing("jax.extend.core", name))
