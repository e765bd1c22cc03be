"""Matrices of special form."""
import functools

from _jitlens import core

from ... import numpy as jnp
from ...lax import conv_general_dilated_patches, pad


@core.jit
def block_diag(*arrs):
    if len(arrs) == 0:
        arrs = (jnp.zeros((1, 0)),)
    arrs = tuple(core.promote_dtypes(*arrs))
    for i, a in enumerate(arrs):
        if core.ndim(a) > 2:
            raise ValueError(f"Arguments to jax.scipy.linalg.block_diag must have at most 2 dimensions, got {a} at argument {i}.")
    arrs = [jnp.atleast_2d(a) for a in arrs]
    total, before, rows = sum([a.shape[1] for a in arrs]), 0, []
    for a in arrs:
        columns = a.shape[1]
        rows.append(pad(a, core.numpy_scalar(0, a.dtype), ((0, 0, 0), (before, total - columns - before, 0))))
        before += columns
    return jnp.concatenate(rows, axis=0)


def toeplitz(c, r=None):
    if r is None:
        core.check_arraylike("toeplitz", c)
        r = jnp.conjugate(jnp.asarray(c))
    else:
        core.check_arraylike("toeplitz", c, r)
    return _toeplitz(jnp.atleast_1d(jnp.asarray(c)), jnp.atleast_1d(jnp.asarray(r)))


@functools.partial(jnp.vectorize, signature="(m),(n)->(m,n)")
def _toeplitz(c, r):
    columns, rows = c.shape[0], r.shape[0]
    if columns == 0 or rows == 0:
        return jnp.empty((columns, rows), dtype=jnp.promote_types(c.dtype, r.dtype))
    elements = jnp.concatenate((c[::-1], r[1:]))
    return jnp.flip(_windows(elements, columns + rows - 1, rows), axis=0)


def _windows(elements, count, size):
    return conv_general_dilated_patches(elements.reshape((1, count, 1)), (size,), (1,), "VALID", dimension_numbers=("NTC", "IOT", "NTC"),
                                        precision=core.Precision.HIGHEST)[0]


@core.jit(static_argnames=("n",))
def hilbert(n):
    if n < 0:
        raise TypeError(f"iota shape must have every element be nonnegative, got ({n}, 1).")
    a = jnp.broadcast_to(jnp.arange(1, n + 1, dtype=float)[:, None], (n, n))
    return 1 / (a + jnp.arange(n, dtype=float)[None, :])
