"""`scipy.linalg`: the functions that JAX has too, on NumPy's arrays."""

import numpy as np
from _jitlens import core
from _jitlens.python import unknown

from ._arrays import blas_type, functions, numbers, opaque, refuse_tracers

_others = functions("scipy.linalg", """
    blas cossin cython_blas cython_lapack find_best_blas_type get_blas_funcs get_lapack_funcs interpolative invhilbert invpascal lapack
    pascal test
    """)

_OWN = frozenset("""
    cho_factor cho_solve cholesky eigh inv lu lu_factor lu_solve polar qr schur solve solve_triangular svd
    """.split())

# What JAX has of the options of these.
_OPTIONS = frozenset("""
    lower trans unit_diagonal overwrite_a overwrite_b check_finite full_matrices compute_uv mode permute_l eigvals_only assume_a output side
    pivoting lapack_driver
    """.split())

# Whose results for several matrices differ from JAX's.
_OF_ONE = frozenset("lu cho_factor polar schur".split())

LinAlgError = np.linalg.LinAlgError


def __getattr__(name):
    if name not in _OWN:
        return _others(name)
    import jax.scipy.linalg as linalg
    inner = getattr(linalg, name)

    def function(*args, **kwargs):
        refuse_tracers(args, kwargs)
        if not _OPTIONS.issuperset(kwargs) or name in _OF_ONE and args and np.ndim(args[0]) != 2:
            return core.unknown(f"`scipy.linalg.{name}` with these arguments")
        return core.numpy_call(inner, name, np.linalg._wide(args), kwargs)
    function.__name__ = name
    globals()[name] = function
    return function


def norm(a, ord=None, axis=None, keepdims=False, check_finite=True):
    refuse_tracers((a,), {})
    return np.linalg.norm(a, ord, axis, keepdims)


def lstsq(a, b, cond=None, overwrite_a=False, overwrite_b=False, check_finite=True, lapack_driver=None):
    refuse_tracers((a, b), {})
    x, residuals, rank, values = np.linalg.lstsq(a, b)
    return x, residuals, int(rank), values


def det(a, overwrite_a=False, check_finite=True):
    """In double precision, whatever the matrix is of."""
    a = numbers(a)
    return np.linalg.det(a.astype("complex128" if a.dtype.kind == "c" else "float64"))


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
    if np.ndim(c) > 1 or np.ndim(r) > 1:
        return core.unknown("`scipy.linalg.toeplitz` of several vectors")
    c = np.ravel(c)
    r = np.conjugate(c) if r is None else np.ravel(r)
    values = np.concatenate([c[::-1], r[1:]])
    return values[len(c) - 1 - np.arange(len(c))[:, None] + np.arange(len(r))[None, :]]


def hankel(c, r=None):
    refuse_tracers((c, r), {})
    if np.ndim(c) > 1 or np.ndim(r) > 1:
        return core.unknown("`scipy.linalg.hankel` of several vectors")
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


def _real(dtype):
    return {"complex64": "float32", "complex128": "float64"}.get(dtype, dtype)


def _square(*arrays):
    """Matrices of one size, as arrays."""
    arrays = [numbers(a) for a in arrays]
    for a in arrays:
        if a.ndim != 2 or a.shape[0] != a.shape[1]:
            return core.unknown("of what are not square matrices")
    return arrays


def _of_square(name):
    """A function of a square matrix that gives one of the same type."""
    def function(A, *args, **kwargs):
        refuse_tracers((A, *args), kwargs)
        if args or kwargs:
            return core.unknown(f"options of `scipy.linalg.{name}`")
        A, = _square(A)
        return opaque(A.shape, blas_type(A))
    function.__name__ = name
    return function


for _name in "sinm cosm tanm sinhm coshm tanhm signm hessenberg".split():
    globals()[_name] = _of_square(_name)


def expm(A):
    A = numbers(A)
    if A.ndim < 2 or A.shape[-1] != A.shape[-2]:
        return core.unknown("the exponential of what is no square matrix")
    if A.ndim == 2:
        import jax.scipy.linalg as linalg
        made = core.numpy_call(linalg.expm, "expm", np.linalg._wide((A,)), {})
        if made.dtype.name == blas_type(A):
            return made
    return opaque(A.shape, blas_type(A))


def sqrtm(A, *args, **kwargs):
    """Complex where a real matrix has no real root, which is a matter of its numbers."""
    A, = _square(A)
    if args or kwargs or A.dtype.kind != "c":
        return core.unknown("whether the root of a matrix is real")
    return opaque(A.shape, blas_type(A))


def logm(A, *args, **kwargs):
    A, = _square(A)
    if args or kwargs or A.dtype.kind != "c":
        return core.unknown("whether the logarithm of a matrix is real")
    return opaque(A.shape, blas_type(A))


def orth(A, rcond=None):
    A = numbers(A)
    if A.ndim != 2:
        return core.unknown("of several matrices")
    return opaque((A.shape[0], core.unknown_dim("rank")), blas_type(A))


def null_space(A, rcond=None, **kwargs):
    A = numbers(A)
    if A.ndim != 2:
        return core.unknown("of several matrices")
    return opaque((A.shape[1], core.unknown_dim("nullity")), blas_type(A))


def svdvals(a, overwrite_a=False, check_finite=True):
    a = numbers(a)
    if a.ndim < 2:
        return core.unknown("singular values of a vector")
    return opaque((*a.shape[:-2], min(a.shape[-2:])), _real(blas_type(a)))


def eig(a, b=None, left=False, right=True, overwrite_a=False, overwrite_b=False, check_finite=True, homogeneous_eigvals=False):
    if b is not None or left or homogeneous_eigvals:
        return core.unknown("options of `scipy.linalg.eig`")
    values = eigvals(a)
    if not right:
        return values
    # The vectors are real where all values are.
    a = numbers(a)
    return values, opaque(a.shape, blas_type(a)) if a.dtype.kind == "c" else unknown("", "whether eigenvectors are real")


def hadamard(n, dtype=int):
    n = int(n)
    made = np.array([[1]], dtype=dtype)
    while made.shape[0] < n:
        made = np.vstack((np.hstack((made, made)), np.hstack((made, -made))))
    if made.shape[0] != n:
        raise ValueError("n must be an positive integer, and n must be a power of 2")
    return made


def hilbert(n):
    values = 1.0 / (1.0 + np.arange(2 * n - 1))
    return hankel(values[:n], r=values[n - 1:])


def helmert(n, full=False):
    return opaque((n if full else n - 1, n), "float64")


def dft(n, scale=None):
    return opaque((n, n), "complex128")


def companion(a):
    a = numbers(a)
    if a.ndim != 1 or a.dtype.name not in ("int64", "float64", "complex128"):
        return core.unknown("a companion matrix")
    return opaque((a.shape[0] - 1, a.shape[0] - 1), "complex128" if a.dtype.kind == "c" else "float64")


def khatri_rao(a, b):
    a, b = numbers(a), numbers(b)
    if a.ndim != 2 or b.ndim != 2 or a.shape[1] != b.shape[1]:
        return core.unknown("a product of Khatri and Rao")
    return (a[:, None, :] * b[None, :, :]).reshape(a.shape[0] * b.shape[0], a.shape[1])


def _equation(name, count):
    def function(*args, **kwargs):
        refuse_tracers(args, kwargs)
        if len(args) != count or kwargs:
            return core.unknown(f"options of `scipy.linalg.{name}`")
        matrices = _square(*args)
        if len(set([m.shape for m in matrices])) > 1 or not all([m.dtype.name == "float64" for m in matrices]):
            return core.unknown(f"`scipy.linalg.{name}` of several types or sizes")
        return opaque(matrices[0].shape, "float64")
    function.__name__ = name
    return function


for _name, _count in (("solve_sylvester", 3), ("solve_continuous_lyapunov", 2), ("solve_lyapunov", 2), ("solve_discrete_lyapunov", 2)):
    globals()[_name] = _equation(_name, _count)


def _riccati(a, b, q, r, *args, **kwargs):
    refuse_tracers((a, b, q, r), kwargs)
    a, b = numbers(a), numbers(b)
    if args or kwargs or a.ndim != 2 or a.dtype.name != "float64" or b.dtype.name not in ("float64", "int64"):
        return core.unknown("a Riccati equation")
    return opaque(a.shape, "float64") if all([numbers(m).dtype.kind != "c" for m in (q, r)]) else core.unknown("of complex numbers")


solve_continuous_are = solve_discrete_are = _riccati


def expm_frechet(A, E, method=None, compute_expm=True, check_finite=True):
    A, E = _square(A, E)
    if A.dtype.name != "float64" or E.dtype.name != "float64":
        return core.unknown("of other than doubles")
    made = opaque(A.shape, "float64")
    return (opaque(A.shape, "float64"), made) if compute_expm else made


def eigh_tridiagonal(d, e, eigvals_only=False, select="a", select_range=None, **kwargs):
    d = numbers(d)
    if select != "a" or d.ndim != 1 or d.dtype.name != "float64" or numbers(e).dtype.name != "float64":
        return core.unknown("some eigenvalues")
    values = opaque(d.shape, "float64")
    return values if eigvals_only else (values, opaque(d.shape * 2, "float64"))


def solve_banded(l_and_u, ab, b, overwrite_ab=False, overwrite_b=False, check_finite=True):
    ab, b = numbers(ab), numbers(b)
    if ab.ndim != 2 or b.ndim not in (1, 2):
        return core.unknown("several systems of equations")
    return opaque(b.shape, blas_type(ab, b))


def solveh_banded(ab, b, *args, **kwargs):
    return solve_banded(None, ab, b)


def solve_toeplitz(c_or_cr, b, check_finite=True):
    b = numbers(b)
    parts = [numbers(c) for c in c_or_cr] if isinstance(c_or_cr, tuple) else [numbers(c_or_cr)]
    if not all([p.ndim == 1 and p.dtype.name == "float64" for p in parts]) or b.dtype.name != "float64" or b.ndim not in (1, 2):
        return core.unknown("several systems of equations")
    return opaque(b.shape, "float64")


def issymmetric(a, atol=None, rtol=None):
    return core.unknown("whether a matrix is symmetric")


def ishermitian(a, atol=None, rtol=None):
    return core.unknown("whether a matrix is Hermitian")


def subspace_angles(A, B):
    A, B = numbers(A), numbers(B)
    if A.ndim != 2 or B.ndim != 2:
        return core.unknown("of several matrices")
    # As many as the smaller of two ranks.
    return core.unknown("how many angles there are")
