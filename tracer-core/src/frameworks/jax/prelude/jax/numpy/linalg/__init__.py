"""`jax.numpy.linalg`. Functions live in files by family and are loaded when first asked for."""
from _jitlens import core

_FILES = {
    "_decompositions": "cholesky svd svdvals eig eigvals eigh eigvalsh qr",
    "_determinants": "det slogdet",
    "_solving": "solve inv pinv lstsq tensorinv tensorsolve matrix_power matrix_rank",
    "_norms": "norm vector_norm matrix_norm cond",
    "_products": "cross outer matrix_transpose vecdot matmul tensordot diagonal trace multi_dot",
}
_HOME = {name: file for file, names in _FILES.items() for name in names.split()}


def __getattr__(name):
    if name not in _HOME:
        raise AttributeError(f"module 'jax.numpy.linalg' has no attribute '{name}'")
    value = getattr(core.import_module("." + _HOME[name], __package__), name)
    globals()[name] = value
    return value


def __dir__():
    return sorted(_HOME)
