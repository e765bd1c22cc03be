"""Cases of linear algebra, transforms and random numbers.

    python tests/primitives/linear_algebra.py
"""
import pathlib

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax._src.lax import fft, lax as laxi, linalg
from jax._src.random import core as random_core
from record import Recorder, Weak

HERE = pathlib.Path(__file__).parent
S = jax.ShapeDtypeStruct
rng = np.random.default_rng(3)
r = Recorder()
KINDS = [np.float32, np.float64, np.complex64, np.complex128]


def arr(shape, t=np.float32):
    x = np.round(rng.normal(size=shape), 2)
    if np.issubdtype(t, np.complexfloating):
        x = x + 1j * np.round(rng.normal(size=shape), 2)
    return np.asarray(x).astype(t)


def positive(shape, t=np.float32):
    a = arr(shape, t)
    return (a @ np.swapaxes(a, -1, -2).conj() + shape[-1] * np.eye(shape[-1])).astype(t)


def hermitian(shape, t=np.float32):
    a = arr(shape, t)
    return ((a + np.swapaxes(a, -1, -2).conj()) / 2).astype(t)


def tol(t, single=2e-5):
    return single if t in (np.float32, np.complex64) else 1e-11


F = jnp.float32
WRONG = [S((3, 4), F), S((3,), F), S((), F), S((2, 3, 3), jnp.int32), S((3, 3), jnp.bool_), S((3, 3), jnp.bfloat16)]

# ----------------------------------------------------------------------------------------- cholesky, solves, lu, qr
for t in KINDS:
    r.bind(linalg.cholesky_p, [positive((4, 4), t)], tol=tol(t))
    r.bind(linalg.cholesky_p, [positive((2, 3, 3), t)], tol=tol(t))
    r.bind(linalg.lu_p, [arr((4, 4), t)], tol=tol(t))
    r.bind(linalg.lu_p, [arr((2, 5, 3), t)], tol=tol(t))
    r.bind(linalg.lu_p, [arr((3, 5), t)], tol=tol(t))
    r.bind(linalg.geqrf_p, [arr((4, 3), t)], tol=tol(t))
    r.bind(linalg.geqrf_p, [arr((2, 3, 4), t)], tol=tol(t))
    a, taus = linalg.geqrf(arr((5, 3), t))
    r.bind(linalg.householder_product_p, [np.asarray(a), np.asarray(taus)], tol=tol(t))
    for shape in [(4, 4), (5, 3), (3, 5), (2, 4, 2)]:
        for full in (False, True):
            r.bind(linalg.qr_p, [arr(shape, t)], pivoting=False, full_matrices=full, use_magma=None, tol=tol(t))
    for left in (True, False):
        for lower in (True, False):
            for transpose in (True, False):
                for conjugate in {False, np.issubdtype(t, np.complexfloating)}:
                    for unit in (False, True):
                        a = arr((3, 3), t) + 3 * np.eye(3, dtype=t)
                        r.bind(linalg.triangular_solve_p, [a, arr((3, 2) if left else (2, 3), t)], left_side=left, lower=lower,
                               transpose_a=transpose, conjugate_a=conjugate, unit_diagonal=unit, tol=tol(t))
    r.bind(linalg.tridiagonal_solve_p, [arr((5,), t), arr((5,), t), arr((5,), t), arr((5, 2), t)], perturb_singular=False,
           tol=tol(t, 1e-3))
    r.bind(linalg.tridiagonal_solve_p, [arr((2, 4), t), arr((2, 4), t), arr((2, 4), t), arr((2, 4, 3), t)],
           perturb_singular=False, tol=tol(t, 1e-3))
r.bind(linalg.cholesky_p, [-np.eye(3, dtype=np.float32)])
r.bind(linalg.cholesky_p, [np.zeros((0, 0), np.float32)])
r.bind(linalg.cholesky_p, [np.stack([np.eye(2), -np.eye(2)]).astype(np.float32)])
r.bind(linalg.lu_p, [np.zeros((3, 3), np.float32)])
r.bind(linalg.lu_p, [np.array([[1, 2], [2, 4]], np.float32)])
r.bind(linalg.qr_p, [np.eye(3, dtype=np.float32)], pivoting=False, full_matrices=False, use_magma=None)
r.bind(linalg.qr_p, [np.zeros((3, 2), np.float32)], pivoting=False, full_matrices=True, use_magma=None)
for shape in [(0, 3), (3, 0)]:
    r.bind(linalg.qr_p, [np.zeros(shape, np.float32)], pivoting=False, full_matrices=True, use_magma=None)
r.bind(linalg.qr_p, [S((2, 4, 3), F)], pivoting=True, full_matrices=False, use_magma=None)
r.bind(linalg.tridiagonal_solve_p, [np.zeros(3, np.float32)] * 3 + [arr((3, 1))], perturb_singular=False)
for p, kw in [(linalg.cholesky_p, {}), (linalg.lu_p, {}), (linalg.geqrf_p, {}),
              (linalg.qr_p, {"pivoting": False, "full_matrices": False, "use_magma": None}),
              (linalg.eigh_p, {"lower": True, "sort_eigenvalues": True, "subset_by_index": None, "algorithm": None}),
              (linalg.eig_p, {"compute_left_eigenvectors": True, "compute_right_eigenvectors": True,
                              "enable_eigvec_derivs": False, "implementation": None}),
              (linalg.svd_p, {"full_matrices": True, "compute_uv": True, "subset_by_index": None, "algorithm": None}),
              (linalg.schur_p, {"compute_schur_vectors": True, "sort_eig_vals": False, "select_callable": None}),
              (linalg.hessenberg_p, {}), (linalg.tridiagonal_p, {"lower": True})]:
    for x in WRONG + [S((4, 4), F), S((2, 3, 3), jnp.complex64), S((0, 0), F)]:
        r.bind(p, [x], **kw)
    r.bind(p, [Weak(positive((3, 3)))], evaluate=False, **kw)
tri = {"left_side": True, "lower": True, "transpose_a": False, "conjugate_a": False, "unit_diagonal": False}
for a, b in [((3, 4), (3, 2)), ((3, 3), (4, 2)), ((3,), (3, 2)), ((2, 3, 3), (3, 2)), ((3, 3), (3,))]:
    r.bind(linalg.triangular_solve_p, [S(a, F), S(b, F)], **tri)
r.bind(linalg.triangular_solve_p, [S((3, 3), F), S((3, 2), jnp.float64)], **tri)
r.bind(linalg.triangular_solve_p, [S((3, 3), F), S((2, 4), F)], **(tri | {"left_side": False}))
for shapes in [((3,), (4,), (3,), (3, 1)), ((3,), (3,), (3,), (4, 1)), ((3,), (3,), (3,), (3,)), ((), (3,), (3,), (3, 1))]:
    r.bind(linalg.tridiagonal_solve_p, [S(s, F) for s in shapes], perturb_singular=False)
for a, b in [((3, 4), (3,)), ((4, 3), (4,)), ((4, 3), (2,)), ((2, 4, 3), (3,))]:
    r.bind(linalg.householder_product_p, [S(a, F), S(b, F)])
r.bind(linalg.lu_pivots_to_permutation_p, [np.array([2, 1, 2], np.int32)], permutation_size=4)
r.bind(linalg.lu_pivots_to_permutation_p, [np.array([[2, 1], [0, 1]], np.int32)], permutation_size=3)
r.bind(linalg.lu_pivots_to_permutation_p, [S((3,), jnp.int32)], permutation_size=2)
r.bind(linalg.ormqr_p, [S((4, 3), F), S((3,), F), S((4, 2), F)], left=True, transpose=False)
r.bind(linalg.ormqr_p, [S((4, 3), F), S((3,), F), S((5, 2), F)], left=True, transpose=False)
r.bind(linalg.ormqr_p, [S((4, 3), F), S((3,), F), S((5, 2), F)], left=False, transpose=False)
r.bind(linalg.geqp3_p, [S((4, 3), F), S((3,), jnp.int32)], use_magma=None)
r.bind(linalg.symmetric_product_p, [S((4, 3), F), S((4, 4), F)], alpha=1.0, beta=2.0)
r.bind(linalg.symmetric_product_p, [S((4, 3), F), S((3, 3), F)], alpha=1.0, beta=2.0)

# --------------------------------------------------------------- eigenvalues and singular values, up to phases (`vectors`)
eigh = {"lower": True, "sort_eigenvalues": True, "subset_by_index": None, "algorithm": None}
for t in KINDS:
    for shape in [(1, 1), (2, 2), (5, 5), (2, 3, 3)]:
        r.bind(linalg.eigh_p, [hermitian(shape, t)], tol=tol(t), **eigh)
    r.bind(linalg.eigh_p, [arr((4, 4), t)], tol=tol(t), **(eigh | {"lower": False}))
    for shape in [(4, 4), (5, 3), (3, 5), (2, 3, 2)]:
        for full in (False, True):
            r.bind(linalg.svd_p, [arr(shape, t)], full_matrices=full, compute_uv=True, subset_by_index=None, algorithm=None, tol=tol(t))
        r.bind(linalg.svd_p, [arr(shape, t)], full_matrices=False, compute_uv=False, subset_by_index=None, algorithm=None, tol=tol(t))
    for left, right in [(False, False), (True, True), (False, True)]:
        r.bind(linalg.eig_p, [arr((4, 4), t)], compute_left_eigenvectors=left, compute_right_eigenvectors=right,
               enable_eigvec_derivs=False, implementation=None, tol=tol(t, 1e-4))
r.bind(linalg.eigh_p, [np.zeros((0, 0), np.float32)], **eigh)
r.bind(linalg.eigh_p, [S((4, 4), F)], **(eigh | {"subset_by_index": (0, 2)}))
r.bind(linalg.svd_p, [S((4, 3), F)], full_matrices=False, compute_uv=True, subset_by_index=(0, 2), algorithm=None)
r.bind(linalg.svd_p, [S((4, 3), F)], full_matrices=True, compute_uv=True, subset_by_index=(0, 2), algorithm=None)
r.bind(linalg.eigh_p, [np.diag(np.array([3, 1, 2], np.float32))], **eigh)

# ------------------------------------------------------------------------------------------------------- transforms
T = fft.FftType
for t in (np.complex64, np.complex128):
    for shape, lengths in [((8,), (8,)), ((2, 7), (7,)), ((3, 4), (3, 4)), ((2, 3, 4, 5), (3, 4, 5)), ((1,), (1,)), ((2, 13), (13,))]:
        for kind in (T.FFT, T.IFFT):
            r.bind(fft.fft_p, [arr(shape, t)], fft_type=kind, fft_lengths=lengths, tol=tol(t))
    for shape, lengths in [((5,), (8,)), ((4,), (7,)), ((2, 3), (5,)), ((3, 4), (3, 6)), ((2, 3, 4, 3), (3, 4, 5)), ((1,), (1,))]:
        r.bind(fft.fft_p, [arr(shape, t)], fft_type=T.IRFFT, fft_lengths=lengths, tol=tol(t))
for t in (np.float32, np.float64):
    for shape, lengths in [((8,), (8,)), ((2, 7), (7,)), ((3, 4), (3, 4)), ((2, 3, 4, 5), (3, 4, 5)), ((1,), (1,))]:
        r.bind(fft.fft_p, [arr(shape, t)], fft_type=T.RFFT, fft_lengths=lengths, tol=tol(t))
C = jnp.complex64
for x, kind, lengths in [(S((4,), F), T.FFT, (4,)), (S((4,), C), T.RFFT, (4,)), (S((4,), F), T.IRFFT, (6,)), (S((4,), C), T.FFT, (5,)),
                         (S((4,), F), T.RFFT, (5,)), (S((3, 4), C), T.IRFFT, (2, 6)), (S((4,), C), T.FFT, (1, 4)),
                         (S((4,), jnp.float16), T.RFFT, (4,)), (S((4,), jnp.bfloat16), T.FFT, (4,))]:
    r.bind(fft.fft_p, [x], fft_type=kind, fft_lengths=lengths)
r.bind(fft.fft_p, [Weak(arr((4,)))], fft_type=T.RFFT, fft_lengths=(4,), evaluate=False)

# ----------------------------------------------------------------------------------------------------- random numbers
r.bind(laxi.rng_uniform_p, [S((), F), S((), F)], shape=(2, 3))
r.bind(laxi.rng_uniform_p, [S((), F), S((), jnp.float64)], shape=(2, 3))
r.bind(laxi.rng_uniform_p, [S((2,), F), S((), F)], shape=(2, 3))
A = lax.RandomAlgorithm
for t in (np.uint8, np.uint16, np.uint32, np.uint64):
    for n in (1, 5, 9):
        for key in ([1, 2, 3, 4], [5, 0, 0xFFFFFFFF, 7]):
            r.bind(laxi.rng_bit_generator_p, [np.array(key, np.uint32)], shape=(n,), dtype=np.dtype(t), algorithm=A.RNG_DEFAULT, out_sharding=None)
r.bind(laxi.rng_bit_generator_p, [np.array([1, 2, 3, 4], np.uint32)], shape=(2, 3), dtype=np.dtype("uint32"), algorithm=A.RNG_PHILOX,
       out_sharding=None)
r.bind(laxi.rng_bit_generator_p, [S((4,), jnp.uint32)], shape=(2, 3), dtype=np.dtype("uint32"), algorithm=A.RNG_THREE_FRY,
       out_sharding=None)
for t in (np.float32, np.float64):
    key = jax.random.key(5)
    for a in (np.array([0.1, 0.5, 1.0, 2.5, 30.0]), np.array(0.7), np.array([[3.0, 0.01]])):
        for log in (False, True):
            r.bind(random_core.random_gamma_p, [key, a.astype(t)], log_space=log, tol=1e-5)
    r.bind(random_core.random_gamma_p, [jax.random.split(key, 2), np.array([[0.3, 2.0], [1.0, 5.0]], t)], log_space=False, tol=1e-5)

# ------------------------------------------------------------------------------------------------------ ragged products
rag = laxi.ragged_dot_general_p
N = lax.RaggedDotDimensionNumbers


def ragged(a, b, g, dot=(((1,), (1,)), ((), ())), axes=(0,), group=(0,), preferred=None, gt=jnp.int32, at=F, bt=F):
    r.bind(rag, [S(a, at), S(b, bt), S(g, gt)], ragged_dot_dimension_numbers=N(dot, axes, group), precision=None,
           preferred_element_type=preferred, group_offset=None, out_sharding=None)


ragged((6, 3), (2, 3, 4), (2,))
ragged((6, 3), (3, 4), (2,), (((1,), (0,)), ((), ())), (1,), ())
ragged((5, 6, 3), (5, 3, 4), (2,), (((2,), (1,)), ((0,), (0,))), (0,), ())
ragged((5, 6, 3), (2, 5, 3, 4), (5, 2), (((2,), (2,)), ((0,), (1,))), (1,), (0,))
ragged((6, 3), (2, 3, 4), (2,), preferred=jnp.dtype("bfloat16"))
ragged((6, 3), (2, 3, 4), (2,), axes=(0, 1))
ragged((6, 3), (2, 3, 4), (2,), axes=(5,))
ragged((6, 3), (2, 3, 4), ())
ragged((6, 3), (2, 3, 4), (7, 2))
ragged((6, 3), (2, 3, 4), (2,), group=())
ragged((6, 3), (2, 3, 4), (2,), group=(7,))
ragged((6, 3), (2, 3, 4), (2,), group=(1,))
ragged((6, 3), (2, 3, 4), (3,))
ragged((6, 3), (3, 4), (2,), (((1,), (0,)), ((), ())), (1,), (0,))
ragged((6, 3), (2, 5, 4), (2,))
ragged((6, 3), (2, 3, 4), (2,), gt=F)

r.write(HERE / "cases/linear_algebra.json")
r.derive_some(8, largest=30).write(HERE / "derived/linear_algebra.json")
