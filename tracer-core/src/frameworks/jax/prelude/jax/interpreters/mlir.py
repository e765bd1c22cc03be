"""`jax.interpreters.mlir`: of lowering rules only the functions are known that are lowered as they stand."""
from _jitlens import core

from .. import _unmodelled

__getattr__ = _unmodelled.names("jax.interpreters.mlir", """
    AxisContext ConstantHandler DEVICE_TO_DEVICE_TYPE LoweringParameters LoweringResult LoweringRule
    LoweringRuleContext Mesh MeshAxisName ModuleContext RECV_FROM_HOST_TYPE SEND_TO_HOST_TYPE SPMDAxisContext
    ShapePolyLoweringState ShardingContext Token TokenSet Value aval_to_ir_type aval_to_ir_types core_call_lowering
    dense_int_array dense_int_elements dtype_to_ir_type emit_python_callback flatten_ir_types flatten_ir_values hlo
    i32_attr i64_attr ir ir_attribute ir_constant ir_constants ir_tree_registry ir_type_handlers jaxpr_subcomp
    lower_jaxpr_to_fun lower_jaxpr_to_module lowerable_effects make_ir_context merge_mlir_modules
    module_to_bytecode module_to_string register_constant_handler shape_tensor token_type
    unflatten_ir_values_like_types
    """)


class _Lowered:
    """The rule that lowers what a function does."""

    def __init__(self, function):
        self.function = function

    def __call__(self, ctx, *args, **params):
        return core.unknown("code in MLIR")


_rules = {}


def lower_fun(fun, multiple_results=True):
    return _Lowered(fun)


def register_lowering(prim, rule, platform=None, inline=True, cacheable=True, **kwargs):
    if platform in (None, "cpu"):
        _rules[prim] = rule
    return rule


def lowered_function(primitive):
    """The function that a primitive is compiled from, if it is known to be one."""
    rule = _rules.get(primitive)
    return rule.function if isinstance(rule, _Lowered) else None
