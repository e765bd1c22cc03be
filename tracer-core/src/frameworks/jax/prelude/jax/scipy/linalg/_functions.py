"""Functions of matrices by their Schur form, polar decompositions, Sylvester's equation and other things made of decompositions."""
import functools

from _jitlens import core, prims as p

from ... import numpy as jnp
from ...lax import dynamic_slice, fori_loop
from ...lax import linalg as lax_linalg
from ._decompositions import _polar_svd, schur


def _inexact(*arrays):
    return core.promote_dtypes_inexact(*[jnp.asarray(a) for a in arrays])


# ------------------------------------------------------------------------------------------------------------- polar

def polar(a, side="right", *, method="qdwh", eps=None, max_iterations=None):
    a = jnp.asarray(a)
    if a.ndim < 2:
        raise ValueError("The input `a` must be a matrix")
    if side not in ("right", "left"):
        raise ValueError(f"The argument `side` must be either 'right' or 'left', got {side!r}.")
    rows, columns = a.shape[-2:]
    if method == "svd":
        if core.dtype_kind(a.dtype) not in ("float", "complex"):
            lax_linalg.svd(a)       # refuses it
        return _polar_svd(a, side)
    if method != "qdwh":
        raise ValueError(f"Unknown polar decomposition method {method}.")
    if core.dtype_kind(a.dtype) not in ("float", "complex"):
        raise ValueError(f"data type {a.dtype.type} not inexact")
    if side == "right" and rows < columns or side == "left" and rows >= columns:
        raise NotImplementedError("method='qdwh' only supports mxn matrices where m < n where side='right' and m >= n side='left', got "
                                  f"{a.shape} with side={side!r}")
    a, = _inexact(a)
    if a.dtype.name in ("bfloat16", "float16"):
        raise NotImplementedError(f"Unsupported dtype {a.dtype}.")
    return _polar(a, side, eps, max_iterations)


@core.jit(static_argnames=("side", "eps", "max_iterations"))
def _polar(a, side, eps, max_iterations):
    if side == "left":
        a = jnp.conj(a.mT)
    one = functools.partial(lax_linalg.qdwh, is_hermitian=False, max_iterations=max_iterations, eps=eps)
    unitary, positive, _, _ = jnp.vectorize(one, signature="(m,n)->(m,n),(n,n),(),()")(a)
    return (jnp.conj(unitary.mT), positive) if side == "left" else (unitary, positive)


# ------------------------------------------------------------------------------------------------- functions of matrices

@core.jit(static_argnames=("check_finite",))
def rsf2csf(T, Z, check_finite=True):
    T, Z = jnp.asarray(T), jnp.asarray(Z)
    for name, matrix in ("T", T), ("Z", Z):
        if matrix.ndim < 2 or matrix.shape[-1] != matrix.shape[-2]:
            raise ValueError(f"Input '{name}' must be square.")
    if T.shape[-1] != Z.shape[-1]:
        raise ValueError(f"Input array shapes must match: Z: {Z.shape} vs. T: {T.shape}")
    if T.shape[-1] == 0:
        raise IndexError("index is out of bounds for axis of size 0")
    T, Z = core.promote_dtypes(T, Z)
    dtype = core.to_complex_dtype(T.dtype)
    return _rotated(T.astype(dtype), Z.astype(dtype))


@functools.partial(jnp.vectorize, signature="(n,n),(n,n)->(n,n),(n,n)")
def _rotated(T, Z):
    """Turns a Schur form with blocks of two rows to a triangular one, from its end."""
    n = T.shape[0]
    eps = core.finfo(T.dtype).eps
    places = jnp.arange(n)

    def step(i, state):
        T, Z = state
        m = n - 1 - i
        block = dynamic_slice(T, (m - 1, m - 1), (2, 2))
        low = jnp.abs(block[1, 0]) > eps * (jnp.abs(block[0, 0]) + jnp.abs(block[1, 1]))
        half, product = (block[0, 0] + block[1, 1]) / 2, block[0, 0] * block[1, 1] - block[0, 1] * block[1, 0]
        root = jnp.sqrt(half * half - product)
        mu = jnp.stack([half + root, half - root]) - block[1, 1]
        r = jnp.hypot(jnp.abs(mu[0]), jnp.abs(block[1, 0])).astype(T.dtype)
        r = jnp.where(low, r, 1)
        c, s = mu[0] / r, block[1, 0] / r
        G = jnp.stack([jnp.stack([jnp.conj(c), s]), jnp.stack([-s, c])])
        rows = T[jnp.stack([m - 1, m])]
        turned = T.at[jnp.stack([m - 1, m])].set(jnp.where(places[None] >= m - 1, G @ rows, rows))
        columns = turned[:, jnp.stack([m - 1, m])]
        turned = turned.at[:, jnp.stack([m - 1, m])].set(jnp.where(places[:, None] <= m, columns @ jnp.conj(G.T), columns))
        turned = turned.at[m, m - 1].set(0)
        basis = Z.at[:, jnp.stack([m - 1, m])].set(Z[:, jnp.stack([m - 1, m])] @ jnp.conj(G.T))
        T = jnp.where(low, turned, T.at[m, m - 1].set(0))
        return T, jnp.where(low, basis, Z)

    return fori_loop(0, n - 1, step, (T, Z))


def funm(A, func, disp=True):
    A, = _inexact(A)
    if A.ndim != 2 or A.shape[0] != A.shape[1]:
        raise ValueError("expected square array_like input")
    T, Z = schur(A)
    T, Z = rsf2csf(T, Z)
    diagonal = func(jnp.diag(T))
    F = jnp.diag(diagonal).astype(T.dtype)
    n = A.shape[0]
    smallest = jnp.abs(T[0, 0])
    for p in range(1, n):
        for i in range(n - p):
            j = i + p
            s = T[i, j] * (F[j, j] - F[i, i])
            if p > 1:
                s += T[i, i + 1:j] @ F[i + 1:j, j] - F[i, i + 1:j] @ T[i + 1:j, j]
            distance = T[j, j] - T[i, i]
            F = F.at[i, j].set(jnp.where(distance == 0, s, s / jnp.where(distance == 0, 1, distance)))
            smallest = jnp.minimum(smallest, jnp.abs(distance))
    F = Z @ F @ jnp.conj(Z.T)
    if disp:
        return F
    smallest = jnp.where(smallest == 0, core.finfo(F.dtype).eps, smallest)
    eps = core.finfo(F.dtype).eps
    error = jnp.maximum(eps, jnp.minimum(1, eps / smallest * jnp.linalg.norm(jnp.triu(T, 1), 1)))
    return F, jnp.where(jnp.isfinite(error), error, jnp.inf)


@core.jit(static_argnames=("blocksize",))
def sqrtm(A, blocksize=1):
    A = jnp.asarray(A)
    if blocksize > 1:
        raise NotImplementedError("Blocked version is not implemented yet.")
    if A.ndim < 2:
        raise TypeError("sqrtm requires a matrix")
    if A.ndim != 2 or A.shape[0] != A.shape[1]:
        raise ValueError("expected square array_like input")
    T, Z = schur(A, output="complex")
    n = A.shape[0]
    U = jnp.diag(jnp.sqrt(jnp.diag(T)))

    def column(j, U):
        def entry(k, U):
            i = j - 1 - k
            inside = (jnp.arange(n) > i) & (jnp.arange(n) < j)
            s = jnp.sum(jnp.where(inside, U[i] * U[:, j], 0))
            below = U[i, i] + U[j, j]
            value = jnp.where(T[i, j] == s, 0, (T[i, j] - s) / jnp.where(T[i, j] == s, 1, below))
            return U.at[i, j].set(value)
        return fori_loop(0, j, entry, U)

    U = fori_loop(0, n, column, U)
    return jnp.matmul(jnp.matmul(Z, U, precision=core.Precision.HIGHEST), jnp.conj(Z.T), precision=core.Precision.HIGHEST)


# ------------------------------------------------------------------------------------------------------------ equations

@core.jit(static_argnames=("method", "tol"))
def _solve_sylvester(A, B, C, method, tol):
    n, m = A.shape[-1], B.shape[-1]
    whole = (jnp.kron(A, jnp.eye(m, dtype=A.dtype)) + jnp.kron(jnp.eye(n, dtype=A.dtype), B.T))
    found = jnp.linalg.solve(whole, C.reshape(-1)).reshape(C.shape)
    sums = jnp.linalg.eigvals(core.stop_gradient(A))[:, None] + jnp.linalg.eigvals(core.stop_gradient(B))[None]
    return jnp.where(jnp.all(jnp.abs(sums) > tol), found, jnp.nan)


def solve_sylvester(A, B, C, *, method="schur", tol=1e-8):
    A, B, C = _inexact(A, B, C)
    if method not in ("schur", "eigen"):
        raise ValueError(f"Unrecognized method {method}. The two valid methods are either 'schur' or 'eigen'.")
    if A.ndim < 2 or B.ndim < 2 or A.shape[-1] != A.shape[-2] or B.shape[-1] != B.shape[-2]:
        raise ValueError(f"A and B must be square matrices, got {A.shape} and {B.shape}")
    if C.shape[-2:] != (A.shape[-1], B.shape[-1]):
        raise ValueError(f"Incompatible shapes: A {A.shape}, B {B.shape}, C {C.shape}")
    if A.dtype.name in ("bfloat16", "float16"):
        raise NotImplementedError(f"Unsupported dtype {A.dtype}.")
    if tol is None:
        raise TypeError("'<' not supported between instances of 'NoneType' and 'float'")
    one = functools.partial(_solve_sylvester, method=method, tol=tol if not core.is_array(tol) else float(tol))
    return jnp.vectorize(one, signature="(n,n),(m,m),(n,m)->(n,m)")(A, B, C)


# ------------------------------------------------------------------------------------------------------------- others

def _by_reflections(a, count):
    """So many columns of the orthogonal factor, and the triangular one: neither has a derivative."""
    packed, factors = p.geqrf(a)
    return p.householder_product(packed[..., :count], factors), jnp.triu(packed)


@core.jit(static_argnames=("mode", "pivoting", "conjugate", "overwrite_a", "overwrite_c"))
def qr_multiply(a, c, mode="right", pivoting=False, conjugate=False, overwrite_a=False, overwrite_c=False):
    if mode not in ("right", "left"):
        raise ValueError(f"mode must be 'right' or 'left', got {mode!r}.")
    a, c = _inexact(a, c)
    if c.ndim == 0:
        raise IndexError("tuple index out of range")
    vector = c.ndim == 1
    if vector:
        c = c[:, None] if mode == "left" else c[None, :]
    rows, columns = a.shape[-2:]
    k = min(rows, columns)
    if mode == "left" and c.shape[-2] != k:
        raise ValueError(f"Array shapes are not compatible for Q @ c operation: a has shape {a.shape} so Q has {k} columns, "
                         f"but c has {c.shape[-2]} rows (expected {k}).")
    if mode == "right" and c.shape[-1] != rows:
        raise ValueError(f"Array shapes are not compatible for c @ Q operation: a has shape {a.shape} so Q has {rows} rows, "
                         f"but c has {c.shape[-1]} columns (expected {rows}).")
    batch = jnp.broadcast_shapes(a.shape[:-2], c.shape[:-2])
    a = jnp.broadcast_to(a, batch + a.shape[-2:])
    q, r, *order = lax_linalg.qr(a, pivoting=True, full_matrices=False) if pivoting else _by_reflections(a, k)
    if conjugate:
        q = jnp.conj(q)
    found = q @ c if mode == "left" else c @ q
    return (found.ravel() if vector else found, r[..., :k, :], *order)


def fiedler_companion(a):
    core.check_arraylike("fiedler_companion", a)
    a, = _inexact(a)
    a = jnp.atleast_1d(a)
    if a.shape[-1] == 0:
        raise ValueError("a must have at least one element.")
    return _fiedler_companion(a)


@functools.partial(jnp.vectorize, signature="(n)->(m,m)")
def _fiedler_companion(a):
    n = a.shape[0] - 1
    a = a / a[0]
    c = jnp.zeros((n, n), dtype=a.dtype)
    if n == 0:
        return c
    if n > 1:
        even, odd = jnp.arange(0, n - 1, 2), jnp.arange(1, n, 2)
        c = c.at[jnp.arange(3, n, 2), jnp.arange(1, n - 2, 2)].set(1)
        c = c.at[jnp.arange(2, n, 2), jnp.arange(1, n - 1, 2)].set(-a[3::2])
        c = c.at[jnp.arange(0, n - 2, 2), jnp.arange(2, n, 2)].set(1)
        c = c.at[even, odd].set(-a[2::2])
        c = c.at[1, 0].set(1)
    return c.at[0, 0].set(-a[1])
