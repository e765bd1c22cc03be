"""`jax.scipy.linalg`. Functions live in files by family and are loaded when first asked for."""
from _jitlens import core

_HOMES = {
    "_decompositions": "cho_factor cholesky det eigh inv lu lu_factor qr schur svd",
    "_exponential": "expm expm_frechet",
    "_tridiagonal": "eigh_tridiagonal",
    "_functions": "fiedler_companion funm polar qr_multiply rsf2csf solve_sylvester sqrtm",
    "_solving": "cho_solve lu_solve solve solve_triangular",
    "_special": "block_diag hilbert toeplitz",
    "_structured": """circulant companion convolution_matrix dft fiedler hadamard hankel helmert hessenberg invhilbert invpascal leslie
        pascal""",
}
_HOME_OF = core.by_word(_HOMES)


def __getattr__(name):
    if name in _HOME_OF:
        found = getattr(core.import_module("." + _HOME_OF[name], __name__), name)
    else:
        raise AttributeError(f"module 'jax.scipy.linalg' has no attribute {name!r}")
    globals()[name] = found
    return found


def __dir__():
    return sorted(_HOME_OF)
