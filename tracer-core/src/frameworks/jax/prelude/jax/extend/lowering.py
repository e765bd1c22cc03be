"""`jax.extend.lowering`: not modelled."""
from .. import _unmodelled

__getattr__ = _unmodelled.names("jax.extend.lowering", "JaxIrContext LoweringRuleContext upstream_dialects")
