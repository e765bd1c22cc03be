"""`scipy.linalg`"""
from . import _arrays

__getattr__ = _arrays.functions("scipy.linalg", """
    blas convolution_matrix cossin cython_blas cython_lapack find_best_blas_type get_blas_funcs get_lapack_funcs hadamard helmert
    interpolative invhilbert invpascal lapack pascal test
    """)
