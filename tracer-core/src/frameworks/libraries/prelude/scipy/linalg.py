"""`scipy.linalg`: the functions that JAX has too, on NumPy's arrays."""

import numpy as np
from _jitlens import core

from ._arrays import functions, refuse_tracers

_others = functions("scipy.linalg", """
    blas convolution_matrix cossin cython_blas cython_lapack find_best_blas_type get_blas_funcs get_lapack_funcs hadamard helmert
    interpolative invhilbert invpascal lapack pascal test
    """)

_OWN = frozenset("""
    cho_factor cho_solve cholesky det eigh expm inv lu lu_factor lu_solve polar qr schur solve solve_triangular svd
    """.split())

LinAlgError = np.linalg.LinAlgError


def __getattr__(name):
    if name not in _OWN:
        return _others(name)
    import jax.scipy.linalg as linalg
    inner = getattr(linalg, name)

    def function(*args, **kwargs):
        refuse_tracers(args, kwargs)
        return core.numpy_call(inner, name, np.linalg._wide(args), kwargs)
    function.__name__ = name
    globals()[name] = function
    return function


def norm(a, ord=None, axis=None, keepdims=False, check_finite=True):
    refuse_tracers((a,), {})
    return np.linalg.norm(a, ord, axis, keepdims)


def lstsq(a, b, cond=None, overwrite_a=False, overwrite_b=False, check_finite=True, lapack_driver=None):
    refuse_tracers((a, b), {})
    return np.linalg.lstsq(a, b)


def pinv(a, *, atol=None, rtol=None, return_rank=False, check_finite=True):
    refuse_tracers((a,), {})
    return core.unknown("`scipy.linalg.pinv` with its rank") if return_rank else np.linalg.pinv(a)


def eigvalsh(a, *args, **kwargs):
    refuse_tracers((a,), {})
    return core.unknown("`scipy.linalg.eigvalsh` with options") if args or kwargs else np.linalg.eigvalsh(a)


def eigvals(a, *args, **kwargs):
    refuse_tracers((a,), {})
    if args or kwargs:
        return core.unknown("`scipy.linalg.eigvals` with options")
    found = np.linalg.eigvals(a)
    return found.astype("complex64" if found.dtype in ("float32", "complex64") else "complex128")


def toeplitz(c, r=None):
    refuse_tracers((c, r), {})
    c = np.ravel(c)
    r = np.conjugate(c) if r is None else np.ravel(r)
    values = np.concatenate([c[::-1], r[1:]])
    return values[len(c) - 1 - np.arange(len(c))[:, None] + np.arange(len(r))[None, :]]


def hankel(c, r=None):
    refuse_tracers((c, r), {})
    c = np.ravel(c)
    r = np.zeros_like(c) if r is None else np.ravel(r)
    values = np.concatenate([c, r[1:]])
    return values[np.arange(len(c))[:, None] + np.arange(len(r))[None, :]]


def circulant(c):
    refuse_tracers((c,), {})
    c = np.asarray(c)
    at = np.arange(c.shape[-1])
    return c[..., (at[:, None] - at[None, :]) % c.shape[-1]]


def block_diag(*arrs):
    refuse_tracers(arrs, {})
    blocks = [np.atleast_2d(block) for block in arrs or ([],)]
    for block in blocks:
        if block.ndim > 2:
            return core.unknown("`scipy.linalg.block_diag` of more than two axes")
    shape = [sum([block.shape[axis] for block in blocks]) for axis in (0, 1)]
    made = np.zeros(shape, np.result_type(*blocks))
    row = column = 0
    for block in blocks:
        made[row:row + block.shape[0], column:column + block.shape[1]] = block
        row, column = row + block.shape[0], column + block.shape[1]
    return made
