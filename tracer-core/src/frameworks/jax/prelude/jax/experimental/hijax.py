"""`jax.experimental.hijax`: not modelled."""
from .. import _unmodelled

__getattr__ = _unmodelled.names("jax.experimental.hijax", """
    AbstractRef AbstractValue AvalMutableQDD AvalQDD HiPrimitive HiPspec HiType MutableHiType ShapedArray
    TransformedRef VJPHiPrimitive Zero aval_method aval_property control_flow_allowed_effects instantiate_zeros
    is_undefined_primal register_hitype
    """)
