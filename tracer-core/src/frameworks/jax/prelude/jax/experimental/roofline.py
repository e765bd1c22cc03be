"""`jax.experimental.roofline`: not modelled."""
from .. import _unmodelled

__getattr__ = _unmodelled.names("jax.experimental.roofline", """
    RooflineResult RooflineRuleContext RooflineShape register_roofline register_standard_roofline roofline
    roofline_and_grad
    """)
