"""The matrix exponential by scaling, a Padé approximant and squaring."""
import functools

from _jitlens import core

from ... import numpy as jnp
from ..._autodiff import jvp
from ...lax import cond, scan, switch
from ._solving import solve_triangular


@core.jit(static_argnames=("upper_triangular", "max_squarings"))
def expm(A, *, upper_triangular=False, max_squarings=16):
    A, = core.promote_dtypes_inexact(A)
    if A.ndim < 2 or A.shape[-1] != A.shape[-2]:
        raise ValueError(f"Expected A to be a (batched) square matrix, got A.shape={A.shape!r}.")
    if A.ndim > 2:
        return jnp.vectorize(functools.partial(expm, upper_triangular=upper_triangular, max_squarings=max_squarings),
                             signature="(n,n)->(n,n)")(A)
    P, Q, squarings = _calc_P_Q(jnp.asarray(A))

    def too_large(args):
        return jnp.full_like(args[0], float("nan"))

    def compute(args):
        _, P, Q = args
        R = solve_triangular(Q, P) if upper_triangular else jnp.linalg.solve(Q, P)
        return _squaring(R, squarings, max_squarings)

    return cond(squarings > max_squarings, too_large, compute, (A, P, Q))


# Coefficients of the approximants of degree 3, 5, 7, 9, 13, and the norms up to which each is good enough.
_PADE = {
    3: (120.0, 60.0, 12.0, 1.0),
    5: (30240.0, 15120.0, 3360.0, 420.0, 30.0, 1.0),
    7: (17297280.0, 8648640.0, 1995840.0, 277200.0, 25200.0, 1512.0, 56.0, 1.0),
    9: (17643225600.0, 8821612800.0, 2075673600.0, 302702400.0, 30270240.0, 2162160.0, 110880.0, 3960.0, 90.0, 1.0),
    13: (64764752532480000.0, 32382376266240000.0, 7771770303897600.0, 1187353796428800.0, 129060195264000.0, 10559470521600.0, 670442572800.0,
         33522128640.0, 1323241920.0, 40840800.0, 960960.0, 16380.0, 182.0, 1.0),
}
_BOUNDS = {"float64": (5.371920351148152, [1.495585217958292e-002, 2.539398330063230e-001, 9.504178996162932e-001, 2.097847961257068e+000]),
           "float32": (3.925724783138660, [4.258730016922831e-001, 1.880152677804762e+000])}
_BOUNDS["complex128"], _BOUNDS["complex64"] = _BOUNDS["float64"], _BOUNDS["float32"]


@core.jit
def _calc_P_Q(A):
    if A.ndim != 2 or A.shape[0] != A.shape[1]:
        raise ValueError("expected A to be a square matrix")
    norm = jnp.linalg.norm(A, 1)
    if A.dtype.name not in _BOUNDS:
        raise TypeError(f"A.dtype={A.dtype} is not supported.")
    largest, bounds = _BOUNDS[A.dtype.name]
    squarings = jnp.maximum(0, jnp.floor(jnp.log2(norm / largest)))
    A = A / 2 ** squarings.astype(A.dtype)
    index = jnp.digitize(norm, jnp.array(bounds, dtype=norm.dtype))
    degrees = (3, 5, 7, 9, 13) if len(bounds) == 4 else (3, 5, 7)
    U, V = switch(index, [functools.partial(_pade, _PADE[d]) for d in degrees], A)
    return U + V, -U + V, squarings


def _dot(a, b):
    return jnp.dot(a, b, precision=core.Precision.HIGHEST)


def _pade(b, A):
    """The odd and the even part of the numerator."""
    M, N = A.shape
    identity = jnp.eye(M, N, dtype=A.dtype)
    powers = [identity, _dot(A, A)]
    top = len(b) - 1
    for _ in range((3 if top == 13 else top // 2) - 1):
        powers.append(_dot(powers[-1], powers[1]) if len(powers) != 2 else _dot(powers[1], powers[1]))

    def total(coefficients):
        """The sum of coefficients times powers, the highest first."""
        out = None
        for i in range(len(coefficients) - 1, -1, -1):
            if coefficients[i] is not None:
                term = coefficients[i] * powers[i]
                out = term if out is None else out + term
        return out

    if top == 13:
        odd = _dot(powers[3], total([None, b[9], b[11], b[13]]))
        for i in (7, 5, 3, 1):
            odd = odd + b[i] * powers[i // 2]
        even = _dot(powers[3], total([None, b[8], b[10], b[12]]))
        for i in (6, 4, 2, 0):
            even = even + b[i] * powers[i // 2]
        return _dot(A, odd), even
    U = _dot(A, total(b[1::2]))
    return U, total(b[0::2])


@core.jit(static_argnums=2)
def _squaring(R, n_squarings, max_squarings):
    def step(c, i):
        return cond(i < n_squarings, lambda x: _dot(x, x), lambda x: x, c), None
    return scan(step, R, jnp.arange(max_squarings, dtype=n_squarings.dtype))[0]


@core.jit(static_argnames=("method", "compute_expm"))
def expm_frechet(A, E, *, method=None, compute_expm=True):
    A, E = jnp.asarray(A), jnp.asarray(E)
    if A.ndim < 2 or A.shape[-2] != A.shape[1]:
        raise ValueError(f"expected A to be a (batched) square matrix, got A.shape={A.shape}")
    if E.ndim < 2 or E.shape[-2] != E.shape[-1]:
        raise ValueError(f"expected E to be a (batched) square matrix, got E.shape={E.shape}")
    if A.shape != E.shape:
        raise ValueError(f"expected A and E to be the same shape, got A.shape={A.shape} E.shape={E.shape}")
    value, derivative = jvp(functools.partial(expm, upper_triangular=False, max_squarings=16), (A,), (E,))
    return (value, derivative) if compute_expm else derivative
