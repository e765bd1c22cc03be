"""Systems of linear equations."""
import functools

from _jitlens import core

from ... import numpy as jnp
from ..._vmap import vmap
from ...lax import custom_linear_solve, dot_general
from ...lax import linalg as lax_linalg
from ._decompositions import cho_factor


def _two(a, b):
    return core.promote_dtypes_inexact(jnp.asarray(a), jnp.asarray(b))


def _signature(name, a, b, between=""):
    """How the right-hand side is batched: as vectors or as matrices."""
    vector = f"(n,n),{between}(n)->(n)"
    if b.ndim == 1:
        return vector
    if a.ndim == b.ndim + 1 and a.shape[-1] == b.shape[-1]:
        call = {"cho_solve": "cho_solve(c_and_lower, b[..., None])", "lu_solve": "lu_solve(lu_and_piv, b[..., None])",
                "solve_triangular": "solve_triangular(a, b[..., None])"}[name]
        core.warn(f"jax.scipy.linalg.{name}: batched 1D solves with b.ndim > 1 are deprecated, and in the future will be treated as a batched 2D "
                  f"solve. Use {call}.squeeze(-1) to avoid this warning.", FutureWarning)
        return vector
    return f"(n,n),{between}(n,k)->(n,k)"


def cho_solve(c_and_lower, b, overwrite_b=False, check_finite=True):
    c, lower = c_and_lower
    return _cho_solve(c, b, lower)


@core.jit(static_argnames=("lower",))
def _cho_solve(c, b, lower):
    c, b = _two(c, b)
    signature = _signature("cho_solve", c, b)

    def half(transpose):
        return jnp.vectorize(functools.partial(lax_linalg.triangular_solve, left_side=True, lower=lower, transpose_a=transpose,
                                               conjugate_a=transpose), signature=signature)

    b = half(not lower)(c, b)
    return half(lower)(c, b)


@core.jit(static_argnames=("trans", "overwrite_b", "check_finite"))
def lu_solve(lu_and_piv, b, trans=0, overwrite_b=False, check_finite=True):
    from ...numpy.linalg._solving import _lu_solve
    lu, pivots = lu_and_piv
    lu, b = _two(lu, b)
    if trans not in (0, 1, 2):
        raise ValueError(f"'trans' value must be 0, 1, or 2, got {trans}")
    permutation = lax_linalg.lu_pivots_to_permutation(pivots, lu.shape[-2])
    signature = _signature("lu_solve", lu, b, "(n),")
    return jnp.vectorize(functools.partial(_lu_solve, trans=trans), signature=signature)(lu, permutation, b)


def solve_triangular(a, b, trans=0, lower=False, unit_diagonal=False, overwrite_b=False, debug=None, check_finite=True):
    return _solve_triangular(a, b, trans, lower, unit_diagonal)


@core.jit(static_argnames=("trans", "lower", "unit_diagonal"))
def _solve_triangular(a, b, trans, lower, unit_diagonal):
    if trans == 0 or trans == "N":
        transpose_a, conjugate_a = False, False
    elif trans == 1 or trans == "T":
        transpose_a, conjugate_a = True, False
    elif trans == 2 or trans == "C":
        transpose_a, conjugate_a = True, True
    else:
        raise ValueError(f"Invalid 'trans' value {trans}")
    a, b = _two(a, b)
    signature = _signature("solve_triangular", a, b)
    return jnp.vectorize(functools.partial(lax_linalg.triangular_solve, left_side=True, lower=lower, transpose_a=transpose_a,
                                           conjugate_a=conjugate_a, unit_diagonal=unit_diagonal), signature=signature)(a, b)


def solve(a, b, lower=False, overwrite_a=False, overwrite_b=False, debug=False, check_finite=True, assume_a="gen"):
    known = ["gen", "sym", "her", "pos"]
    if assume_a not in known:
        raise ValueError(f"Expected assume_a to be one of {known}; got {assume_a!r}")
    return _solve(a, b, assume_a, lower)


@core.jit(static_argnames=("assume_a", "lower"))
def _solve(a, b, assume_a, lower):
    if assume_a != "pos":
        return jnp.linalg.solve(a, b)
    a, b = _two(a, b)
    if not (a.ndim >= 2 and b.ndim in (a.ndim, a.ndim - 1) and a.shape[-1] == a.shape[-2] == b.shape[a.ndim - 2]):
        raise ValueError("The arguments to solve must have shapes a=[..., m, m] and b=[..., m, k] or b=[..., m]; "
                         f"got a={a.shape} and b={b.shape}")
    factors = cho_factor(core.stop_gradient(a), lower=lower)

    def one(b):
        return custom_linear_solve(lambda x: _matvec(a, x), b, lambda _, x: cho_solve(factors, x), symmetric=True)

    if a.ndim == b.ndim + 1:
        return one(b)
    return vmap(one, b.ndim - 1, max(a.ndim, b.ndim) - 1)(b)


def _matvec(a, x):
    batch = core.broadcast_shapes(a.shape[:-2], x.shape[:-1])
    a = jnp.broadcast_to(a, (*batch, *a.shape[-2:]))
    x = jnp.broadcast_to(x, (*batch, x.shape[-1]))
    axes = list(range(len(batch)))
    return dot_general(a, x, (([a.ndim - 1], [x.ndim - 1]), (axes, axes)), precision=core.Precision.HIGHEST)
