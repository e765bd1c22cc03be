"""Factorizations."""
from collections import namedtuple

from _jitlens import core, prims as p

EighResult = namedtuple("EighResult", ("eigenvalues", "eigenvectors"))
EigResult = namedtuple("EigResult", ("eigenvalues", "eigenvectors"))
QRResult = namedtuple("QRResult", ("Q", "R"))
SVDResult = namedtuple("SVDResult", ("U", "S", "Vh"))


def inexact(name, x):
    """The argument as an array of an inexact dtype."""
    return core.promote_dtypes_inexact(core.arraylike(f"jnp.linalg.{name}", x))[0]


def adjoint(x):
    from .._elementwise import conjugate
    from .._manipulate import matrix_transpose
    return conjugate(matrix_transpose(x))


@core.jit(static_argnames=("upper", "symmetrize_input"))
def cholesky(a, *, upper=False, symmetrize_input=True):
    from jax import lax
    lower = lax.linalg.cholesky(inexact("cholesky", a), symmetrize_input=symmetrize_input)
    return lower.mT.conj() if upper else lower


@core.jit(static_argnames=("full_matrices", "compute_uv", "hermitian", "subset_by_index"))
def svd(a, full_matrices=True, compute_uv=True, hermitian=False, subset_by_index=None):
    from jax import lax
    a = inexact("svd", a)
    if hermitian:
        return _hermitian_svd(a, compute_uv, subset_by_index)
    result = lax.linalg.svd(a, full_matrices=full_matrices, compute_uv=compute_uv, subset_by_index=subset_by_index)
    return SVDResult(*result) if compute_uv else result


def _hermitian_svd(a, compute_uv, subset_by_index):
    """By the eigenvalues: singular values are their magnitudes, and signs go to the right vectors."""
    from jax import lax
    from .. import _low
    from .._index import take_along_axis
    vectors, values = lax.linalg.eigh(a, subset_by_index=subset_by_index)
    s = p.abs(values)
    last = s.ndim - 1
    if not compute_uv:
        s, = p.sort(s, dimension=last, is_stable=True, num_keys=1)
        return p.rev(s, dimensions=(last,))
    sign = p.sign(values)
    order = _low.broadcasted_iota(core.canonical_dtype("uint32"), s.shape, last)
    s, order, sign = [p.rev(x, dimensions=(last,))
                      for x in p.sort(s, order, sign, dimension=last, is_stable=True, num_keys=1)]
    u = take_along_axis(vectors, order[..., None, :], axis=-1)
    return SVDResult(u, s, adjoint(u * sign[..., None, :].astype(u.dtype)))


def svdvals(x, /):
    return svd(core.arraylike("jnp.linalg.svdvals", x), compute_uv=False, hermitian=False)


def eig(a):
    from jax import lax
    return EigResult(*lax.linalg.eig(inexact("eig", a), compute_left_eigenvectors=False))


@core.jit
def eigvals(a):
    from jax import lax
    return lax.linalg.eig(inexact("eigvals", a), compute_left_eigenvectors=False, compute_right_eigenvectors=False)[0]


@core.jit(static_argnames=("UPLO", "symmetrize_input"))
def eigh(a, UPLO=None, symmetrize_input=True):
    from jax import lax
    a = core.arraylike("jnp.linalg.eigh", a)
    if UPLO not in (None, "L", "U"):
        raise ValueError(f"UPLO must be one of None, 'L', or 'U', got {UPLO}")
    a, = core.promote_dtypes_inexact(a)
    vectors, values = lax.linalg.eigh(a, lower=UPLO != "U", symmetrize_input=symmetrize_input)
    return EighResult(values, vectors)


@core.jit(static_argnames=("UPLO", "symmetrize_input"))
def eigvalsh(a, UPLO="L", *, symmetrize_input=True):
    return eigh(inexact("eigvalsh", a), UPLO, symmetrize_input=symmetrize_input)[0]


@core.jit(static_argnames=("mode",))
def qr(a, mode="reduced"):
    from jax import lax
    a = inexact("qr", a)
    if mode == "raw":
        packed, taus = p.geqrf(a)
        return QRResult(packed.mT, taus)
    if mode not in ("reduced", "r", "full", "complete"):
        raise ValueError(f"Unsupported QR decomposition mode '{mode}'")
    q, r = lax.linalg.qr(a, pivoting=False, full_matrices=mode == "complete")
    return r if mode == "r" else QRResult(q, r)
