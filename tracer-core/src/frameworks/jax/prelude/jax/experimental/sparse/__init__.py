"""`jax.experimental.sparse`: not modelled."""
from ... import _unmodelled

_BASE = ("jax.experimental.sparse._base", "JAXSparse")
_MODULES = {"BCOO": "bcoo", "BCSR": "bcsr", "COO": "coo", "CSC": "csr", "CSR": "csr"}
_CLASSES = {"JAXSparse": (_BASE[0], None), **{name: (f"jax.experimental.sparse.{where}", _BASE) for name, where in _MODULES.items()}}

__getattr__ = _unmodelled.names("jax.experimental.sparse", """
    BCOO BCSR COO CSC CSR CuSparseEfficiencyWarning JAXSparse SparseEfficiencyError SparseEfficiencyWarning
    SparseTracer bcoo_broadcast_in_dim bcoo_concatenate bcoo_conv_general_dilated bcoo_dot_general
    bcoo_dot_general_sampled bcoo_dynamic_slice bcoo_extract bcoo_fromdense bcoo_gather bcoo_multiply_dense
    bcoo_multiply_sparse bcoo_reduce_sum bcoo_reshape bcoo_rev bcoo_slice bcoo_sort_indices bcoo_squeeze
    bcoo_sum_duplicates bcoo_todense bcoo_transpose bcoo_update_layout bcsr_broadcast_in_dim bcsr_concatenate
    bcsr_dot_general bcsr_extract bcsr_fromdense bcsr_sum_duplicates bcsr_todense coo_fromdense coo_matmat coo_matvec
    coo_todense csr_fromdense csr_matmat csr_matvec csr_todense empty eye grad jacfwd jacobian jacrev linalg
    random_bcoo sparsify todense value_and_grad
    """, _CLASSES)
