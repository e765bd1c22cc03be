"""`jax.interpreters.partial_eval`: functions of which some arguments are known."""
from _jitlens import core

from .. import _unmodelled

# Rules that are taken and never asked for.
custom_partial_eval_rules, dce_rules, partial_eval_jaxpr_custom_rules = {}, {}, {}


class PartialVal(tuple):
    """`(None, value)` for what is known, `(type, None)` for what is not."""
    __module__ = "jax._src.interpreters.partial_eval"

    @classmethod
    def known(cls, const):
        return cls((None, const))

    @classmethod
    def unknown(cls, aval):
        return cls((aval, None))

    def is_known(self):
        return self[0] is None

    def get_known(self):
        return self[1] if self[0] is None else None

    def get_aval(self):
        return core.typeof(self[1]) if self[0] is None else self[0]


def trace_to_jaxpr_nounits(fun, pvals, instantiate=False):
    jaxpr, consts, outs, unknown = core.partial_trace(
        lambda args: fun.call_wrapped(*args), [const if aval is None else aval for aval, const in pvals], [aval is not None for aval, _ in pvals])
    if instantiate is not False and not all(unknown):
        return core.unknown("a graph of known results")
    return jaxpr.jaxpr, [PartialVal.unknown(x) if u else PartialVal.known(x) for x, u in zip(outs, unknown)], consts


DynamicJaxprTracer = core.tracer_class("DynamicJaxprTracer")

__getattr__ = _unmodelled.names("jax.interpreters.partial_eval", """
    JaxprTracer Val dce_jaxpr dce_jaxpr_call_rule dce_jaxpr_closed_call_rule dce_jaxpr_consts trace_to_jaxpr_dynamic
    """)
