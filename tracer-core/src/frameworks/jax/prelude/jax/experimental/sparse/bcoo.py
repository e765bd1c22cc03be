"""`jax.experimental.sparse.bcoo`: not modelled."""
from ... import _unmodelled
from . import _CLASSES

__getattr__ = _unmodelled.names("jax.experimental.sparse.bcoo", """
    BCOO BCOOProperties bcoo_broadcast_in_dim bcoo_concatenate bcoo_conv_general_dilated bcoo_dot_general
    bcoo_dot_general_sampled bcoo_dynamic_slice bcoo_eliminate_zeros bcoo_extract bcoo_fromdense bcoo_gather
    bcoo_multiply_dense bcoo_multiply_sparse bcoo_reduce_sum bcoo_reshape bcoo_rev bcoo_slice bcoo_sort_indices
    bcoo_squeeze bcoo_sum_duplicates bcoo_todense bcoo_transpose bcoo_update_layout
    """, {"BCOO": _CLASSES["BCOO"]})
