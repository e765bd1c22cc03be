"""`jax.lax.linalg`: decompositions."""
from _jitlens import core, prims as p

from ._shapes import expand_dims, transpose


def _swapped(x):
    return transpose(x, (*range(x.ndim - 2), x.ndim - 1, x.ndim - 2))


def symmetrize(x):
    """The mean of a matrix and its conjugate transpose."""
    other = _swapped(x)
    if core.dtype_kind(x.dtype) == "complex":
        other = p.conj(other, input_dtype=x.dtype)
    return (x + other) / 2




def cholesky(x, *, symmetrize_input=True):
    if symmetrize_input:
        x = symmetrize(x)
    return core.lax_tril(p.cholesky(x))


def cholesky_update(r_matrix, w_vector):
    return p.cholesky_update(r_matrix, w_vector)


def eig(x, *, compute_left_eigenvectors=True, compute_right_eigenvectors=True, enable_eigvec_derivs=False, implementation=None,
        use_magma=None):
    if use_magma is not None:
        raise ValueError("Only the lapack implementation is supported on CPU.")
    return p.eig(x, compute_left_eigenvectors=compute_left_eigenvectors, compute_right_eigenvectors=compute_right_eigenvectors,
                 enable_eigvec_derivs=enable_eigvec_derivs, implementation=implementation)


def eigh(x, *, lower=True, symmetrize_input=True, sort_eigenvalues=True, subset_by_index=None, implementation=None):
    if symmetrize_input:
        x = symmetrize(x)
    v, w = p.eigh(x, lower=lower, sort_eigenvalues=sort_eigenvalues, subset_by_index=subset_by_index, algorithm=implementation)
    return v, w


def hessenberg(a):
    return p.hessenberg(a)


def householder_product(a, taus):
    return p.householder_product(a, taus)


def lu(x):
    return p.lu(x)


def lu_pivots_to_permutation(pivots, permutation_size):
    return p.lu_pivots_to_permutation(pivots, permutation_size=permutation_size)


def qr(x, *, pivoting=False, full_matrices=True, use_magma=None):
    q, r, *pivots = p.qr(x, pivoting=pivoting, full_matrices=full_matrices, use_magma=use_magma)
    return (q, r, pivots[0]) if pivoting else (q, r)


def schur(x, *, compute_schur_vectors=True, sort_eig_vals=False, select_callable=None):
    if sort_eig_vals:
        raise NotImplementedError("The sort feature of LAPACK's gees routine is not implemented.")
    return p.schur(x, compute_schur_vectors=compute_schur_vectors, sort_eig_vals=sort_eig_vals, select_callable=select_callable)


def svd(x, *, full_matrices=True, compute_uv=True, subset_by_index=None, algorithm=None):
    found = p.svd(x, full_matrices=full_matrices, compute_uv=compute_uv, subset_by_index=subset_by_index, algorithm=algorithm)
    if not compute_uv:
        return found[0]
    s, u, v = found
    return u, s, v


def symmetric_product(a_matrix, c_matrix, *, alpha=1.0, beta=0.0, symmetrize_output=False):
    hash(alpha), hash(beta)
    found = p.symmetric_product(a_matrix, c_matrix, alpha=alpha, beta=beta)
    if symmetrize_output:
        found = core.lax_tril(found) + _swapped(core.lax_tril(found, -1))
    return found


def triangular_solve(a, b, *, left_side=False, lower=False, transpose_a=False, conjugate_a=False, unit_diagonal=False):
    vector = core.ndim(b) == core.ndim(a) - 1
    if vector:
        b = expand_dims(b, (-1 if left_side else -2,))
    out = p.triangular_solve(a, b, left_side=left_side, lower=lower, transpose_a=transpose_a,
                             conjugate_a=conjugate_a and core.dtype(a).kind == "c", unit_diagonal=unit_diagonal)
    if not vector:
        return out
    return out[..., 0] if left_side else out[..., 0, :]


def tridiagonal(a, *, lower=True):
    return p.tridiagonal(core.asarray(a), lower=lower)


def tridiagonal_solve(dl, d, du, b, *, perturb_singular=False):
    return p.tridiagonal_solve(dl, d, du, b, perturb_singular=perturb_singular)


def ormqr(a, taus, c, *, left=True, transpose=False):
    return p.ormqr(a, taus, c, left=left, transpose=transpose)


def linalg_name(name):
    """A primitive, or an enumeration of algorithms."""
    return core.primitive(name[:-2]) if name.endswith("_p") else getattr(core, name)


def __getattr__(name):
    if name in ("EigImplementation", "EighImplementation", "SvdAlgorithm") or name.endswith("_p"):
        found = linalg_name(name)
        if found is not None:
            return found
    if name == "qdwh":
        from ._qdwh import qdwh
        return qdwh
    raise AttributeError(f"module 'jax.lax.linalg' has no attribute {name!r}")
