"""Eigenvalues of tridiagonal matrices by bisection: so many are below a number as the pivots of the shifted matrix that are negative."""
from _jitlens import core

from ... import numpy as jnp
from ...lax import fori_loop, while_loop

# By so much the first interval is wider than the rows say, in steps of the type.
_WIDER = 2.1
_FLOATS = ("float32", "float64", "complex64", "complex128")


@core.jit(static_argnames=("eigvals_only", "select", "select_range"))
def eigh_tridiagonal(d, e, *, eigvals_only=False, select="a", select_range=None, tol=None, key=None):
    d, e = jnp.asarray(d), jnp.asarray(e)
    if d.dtype != e.dtype:
        raise TypeError(f"diagonal and off-diagonal values must have same dtype, got {d.dtype} and {e.dtype}")
    if d.dtype.name not in _FLOATS:
        raise TypeError("Only float32 and float64 inputs are supported as inputs to jax.scipy.linalg.eigh_tridiagonal, got "
                        f"{d.dtype} and {e.dtype}")
    n = d.shape[0]
    if n <= 1:
        return jnp.real(d) if eigvals_only else (jnp.real(d), jnp.eye(n, dtype=d.dtype))
    values = _by_bisection(d, e, _chosen(n, select, select_range), tol)
    if eigvals_only:
        return values
    # They start from random numbers.
    [vectors] = core.opaque_call("eigh_tridiagonal", [d, e], [core.ShapedArray((n, values.shape[0]), d.dtype)])
    return values, vectors


def _chosen(n, select, select_range):
    if select == "a":
        return jnp.arange(n, dtype="int32")
    if select == "i":
        if select_range is None:
            raise ValueError("for select='i', select_range must be specified.")
        if select_range[0] > select_range[1]:
            raise ValueError("Got empty index range in select_range.")
        return jnp.arange(select_range[0], select_range[1] + 1, dtype="int32")
    if select == "v":
        raise NotImplementedError("eigh_tridiagonal(..., select='v') is not implemented")
    raise ValueError("'select must have a value in {'a', 'i', 'v'}.")


def _by_bisection(d, e, chosen, tol):
    n = d.shape[0]
    if core.dtype_kind(d.dtype) == "complex":
        d, squares = jnp.real(d), jnp.real(e * jnp.conj(e))
        sizes = jnp.sqrt(squares)
    else:
        sizes, squares = jnp.abs(e), jnp.square(e)
    kind = core.finfo(d.dtype)
    around = jnp.concatenate([sizes[:1], sizes[:-1] + sizes[1:], sizes[-1:]], axis=0)
    most, least = jnp.amax(d + around), jnp.amin(d - around)
    norm = jnp.maximum(jnp.abs(least), jnp.abs(most))
    pivot = core.numpy_scalar(kind.tiny, d.dtype) * jnp.maximum(1, jnp.amax(squares))
    first = jnp.square(kind.eps * sizes[0])
    close = kind.eps * norm
    if tol is not None:
        close = jnp.maximum(tol, close)
    slack = jnp.array(n, d.dtype) * _WIDER * kind.eps * norm
    low = jnp.broadcast_to(least - slack - 2 * _WIDER * pivot, chosen.shape)
    high = jnp.broadcast_to(most + slack + _WIDER * pivot, chosen.shape)

    def below(x):
        """How many eigenvalues are below each of these numbers."""
        def step(i, state):
            q, count = state
            q = d[i] - squares[i - 1] / q - x
            negative = q <= pivot
            return jnp.where(negative, jnp.minimum(q, -pivot), q), jnp.where(negative, count + 1, count)

        q = d[0] - x
        count = jnp.where(q < 0, core.numpy_scalar(1, "int32"), core.numpy_scalar(0, "int32"))
        return fori_loop(1, n, step, (jnp.where(d[0] == x, first, q), count))[1]

    def halve(state):
        i, low, middle, high = state
        count = below(middle)
        low, high = jnp.where(count <= chosen, middle, low), jnp.where(count > chosen, middle, high)
        return i + 1, low, 0.5 * (low + high), high

    rounds = kind.nmant + 1
    return while_loop(lambda state: (state[0] < rounds) & (close < jnp.amax(state[3] - state[1])), halve,
                      (0, low, 0.5 * (high + low), high))[2]
