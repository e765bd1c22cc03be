"""`jax.core`: what is left of it."""
from _jitlens import core as _core

from ._staging import ensure_compile_time_eval

AbstractValue = _core.AbstractValue
ShapedArray = _core.ShapedArray
Tracer = _core.Tracer
Trace = _core.Trace
Atom = Value = ParamDict = object


def eval_context():
    return _core.eval_context()


def eval_jaxpr(jaxpr, consts, *args, **kwargs):
    return _core.eval_open_jaxpr(jaxpr, consts, args)


def max_dim(d1, d2):
    return _core.max_dim(d1, d2)


def min_dim(d1, d2):
    return _core.min_dim(d1, d2)


def _is_constant_dim(d):
    if isinstance(d, int):
        return True
    return _core.is_static_integer(d)


def _is_constant_shape(s):
    return all([_is_constant_dim(d) for d in s])


# What is deprecated and modelled.
_MODELLED = {"is_concrete": _core.is_concrete, "is_constant_dim": _is_constant_dim, "is_constant_shape": _is_constant_shape}
_MOVED = frozenset("""
    CallPrimitive DebugInfo DropVar Effect Effects check_jaxpr concrete_or_error find_top_trace gensym get_opaque_trace_state
    jaxprs_in_params new_jaxpr_eqn no_effects primal_dtype_to_tangent_dtype valid_jaxtype
    """.split())
_DEPRECATED = frozenset("""
    JaxprPpContext JaxprPpSettings OutputType abstract_token aval_mapping_handlers call concretization_function_error custom_typechecks
    is_concrete is_constant_dim is_constant_shape literalable_types no_axis_name nonempty_axis_env_DO_NOT_USE pytype_aval_mappings
    trace_ctx unsafe_am_i_under_a_jit_DO_NOT_USE unsafe_am_i_under_a_vmap_DO_NOT_USE unsafe_get_axis_names_DO_NOT_USE
    """.split())

# Names that are there and not modelled. A name that is missing otherwise is the program's mistake.
__unmodelled__ = ()


def __getattr__(name):
    if name in _MOVED:
        from .extend import core as home
        return _deprecated(name, f" Use jax.extend.core.{name}.", getattr(home, name))
    if name in ("InconclusiveDimensionOperation", "JaxprTypeError"):
        return _deprecated(name, f" Use jax.errors.{name}.", getattr(_core, name))
    if name in _DEPRECATED:
        return _deprecated(name, "", _MODELLED.get(name) or _core.unmodelled("jax.core." + name))
    from . import _removed
    raise AttributeError(_removed.missing("jax.core", name))


def _deprecated(name, instead, value):
    _core.warn(f"jax.core.{name} is deprecated.{instead}", DeprecationWarning, stacklevel=3)
    return value
