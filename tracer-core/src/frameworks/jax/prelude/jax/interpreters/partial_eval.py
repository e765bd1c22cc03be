"""`jax.interpreters.partial_eval`: not modelled."""
from .. import _unmodelled

__getattr__ = _unmodelled.names("jax.interpreters.partial_eval", """
    DynamicJaxprTracer JaxprTracer PartialVal Val custom_partial_eval_rules dce_jaxpr dce_jaxpr_call_rule
    dce_jaxpr_closed_call_rule dce_jaxpr_consts dce_rules partial_eval_jaxpr_custom_rules trace_to_jaxpr_dynamic
    trace_to_jaxpr_nounits
    """)
