"""`jax.extend.linear_util`: not modelled."""
from .. import _unmodelled

__getattr__ = _unmodelled.names("jax.extend.linear_util", """
    StoreException WrappedFun cache merge_linear_aux transformation transformation2 transformation_with_aux
    transformation_with_aux2 wrap_init
    """)
