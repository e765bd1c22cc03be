"""Norms of vectors and matrices."""
from _jitlens import core, prims as p

from .. import _low
from .._elementwise import conj, isnan, power, real
from .._manipulate import moveaxis
from .._reductions import amax, amin, sum
from .._ufuncs import apply
from ._decompositions import svd, svdvals

_INF = float("inf")


def _euclidean(x, axis, keepdims):
    return apply("sqrt", sum(real(x * conj(x)), axis=axis, keepdims=keepdims))


@core.jit(static_argnames=("ord", "axis", "keepdims"))
def norm(x, ord=None, axis=None, keepdims=False):
    x, = core.promote_dtypes_inexact(core.arraylike("jnp.linalg.norm", x))
    ndim = x.ndim
    if axis is None:
        if ord is None:
            return _euclidean(x, None, keepdims)
        axis = tuple(range(ndim))
    elif isinstance(axis, tuple):
        axis = tuple(core.canonical_axis(i, ndim) for i in axis)
    else:
        axis = (core.canonical_axis(axis, ndim),)
    if len(axis) == 1:
        return vector_norm(x, ord=2 if ord is None else ord, axis=axis, keepdims=keepdims)
    if len(axis) == 2:
        return _matrix_norm(x, ord, axis, keepdims)
    raise ValueError(f"Improper number of axes for norm: axis={axis}. Pass one axis to compute a vector-norm, or two axes to "
                     "compute a matrix-norm.")


def _matrix_norm(x, ord, axis, keepdims):
    row, column = axis
    if ord is None or ord in ("f", "fro"):
        return _euclidean(x, axis, keepdims)
    if ord in (1, -1, _INF, -_INF):
        inner, outer = (row, column) if ord in (1, -1) else (column, row)
        if not keepdims and outer > inner:
            outer -= 1
        sums = sum(abs(x), axis=inner, keepdims=keepdims)
        if ord > 0:
            return amax(sums, axis=outer, keepdims=keepdims, initial=0)
        return amin(sums, axis=outer, keepdims=keepdims)
    if ord not in ("nuc", 2, -2):
        raise ValueError(f"Invalid order '{ord}' for matrix norm.")
    s = svd(moveaxis(x, axis, (-2, -1)), compute_uv=False)
    if ord == 2:
        y = amax(s, axis=-1, initial=0)
    elif ord == -2:
        y = amin(s, axis=-1)
    else:
        y = sum(s, axis=-1)
    return _low.expand_dims(y, axis) if keepdims else y


def vector_norm(x, /, *, axis=None, keepdims=False, ord=2):
    x = core.arraylike("jnp.linalg.vector_norm", x)
    if ord is None or ord == 2:
        return _euclidean(x, axis, keepdims)
    if ord == _INF:
        return amax(abs(x), axis=axis, keepdims=keepdims, initial=0)
    if ord == -_INF:
        return amin(abs(x), axis=axis, keepdims=keepdims)
    if ord == 0:
        return sum(x != 0, dtype=core.finfo(x.dtype).dtype, axis=axis, keepdims=keepdims)
    if ord == 1:
        return sum(abs(x), axis=axis, keepdims=keepdims)
    if isinstance(ord, str):
        hint = {"inf": "Use 'jax.numpy.inf' instead.", "-inf": "Use '-jax.numpy.inf' instead."}.get(ord, "")
        raise ValueError(f"Invalid order '{ord}' for vector norm." + hint)
    size = abs(x)
    exponent = core.known_const_like(size, ord)
    return power(sum(size ** exponent, axis=axis, keepdims=keepdims), core.known_const_like(size, 1.0 / exponent))


def matrix_norm(x, /, *, keepdims=False, ord="fro"):
    return norm(core.arraylike("jnp.linalg.matrix_norm", x), ord=ord, keepdims=keepdims, axis=(-2, -1))


@core.jit(static_argnames=("p",))
def cond(x, p=None):
    from ._solving import inv
    a = core.arraylike("cond", x)
    if a.ndim < 2:
        raise ValueError(f"jnp.linalg.cond: input array must be at least 2D; got arr.shape={a.shape}")
    if 0 in a.shape[-2:]:
        raise ValueError(f"jnp.linalg.cond: input array must not be empty; got arr.shape={a.shape}")
    if p is None or p == 2:
        s = svdvals(x)
        return s[..., 0] / s[..., -1]
    if p == -2:
        s = svdvals(x)
        r = s[..., -1] / s[..., 0]
    else:
        if a.shape[-2] != a.shape[-1]:
            raise ValueError(f"jnp.linalg.cond: for p={p!r}, array must be square; got arr.shape={a.shape}")
        r = norm(x, ord=p, axis=(-2, -1)) * norm(inv(x), ord=p, axis=(-2, -1))
    return _low.where(isnan(r) & ~isnan(x).any(axis=(-2, -1)), _INF, r)
