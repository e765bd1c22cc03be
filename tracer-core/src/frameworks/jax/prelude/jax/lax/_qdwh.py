"""The polar decomposition by Halley's iteration with weights (Nakatsukasa, Bai and Gygi)."""
import functools
import math

from _jitlens import core

from .. import numpy as jnp
from . import linalg
from ._loops import while_loop


def qdwh(x, *, is_hermitian=False, max_iterations=None, eps=None, dynamic_shape=None):
    is_hermitian = core.concrete_bool(is_hermitian)
    rows, columns = x.shape
    if rows < columns:
        raise ValueError("The input matrix of shape M x N must have M >= N.")
    if max_iterations is None:
        max_iterations = 10
    if dynamic_shape is not None:
        return core.unmodelled("qdwh with a dynamic shape")
    return _qdwh(x, is_hermitian, max_iterations, eps)


@functools.partial(core.jit, static_argnames=("is_hermitian", "max_iterations", "eps"))
def _qdwh(x, is_hermitian, max_iterations, eps):
    if eps is None:
        eps = float(core.finfo(x.dtype).eps)
    columns = x.shape[1]
    size = jnp.sqrt(jnp.max(jnp.sum(jnp.abs(x), 0), initial=0) * jnp.max(jnp.sum(jnp.abs(x), 1), initial=0))
    u = x / jnp.where(size == 0, 1, size).astype(x.dtype)
    identity = jnp.eye(columns, dtype=x.dtype)

    def going(state):
        _, low, count, moved = state
        return ((jnp.abs(1 - low) > 5 * eps) | (moved > (4 * eps) ** (1 / 3))) & (count <= max_iterations)

    def step(state):
        u, low, count, _ = state
        square = low * low
        d = (4 * (1 / square - 1) / square) ** (1 / 3)
        root = jnp.sqrt(1 + d)
        a = root + jnp.sqrt(8 - 4 * d + 8 * (2 - square) / (square * root)) / 2
        b = (a - 1) ** 2 / 4
        c = a + b - 1
        low = low * (a + b * square) / (1 + c * square)
        c, a, b = [v.astype(x.dtype) for v in (c, a, b)]
        q, _ = linalg.qr(jnp.concatenate([jnp.sqrt(c) * u, identity]), full_matrices=False)
        new = b / c * u + (a - b / c) / jnp.sqrt(c) * (q[:x.shape[0]] @ jnp.conj(q[x.shape[0]:].T))
        return new, low, count + 1, jnp.linalg.norm(new - u).astype(low.dtype)

    real = core.finfo(x.dtype).dtype
    start = (u, jnp.asarray(eps, dtype=real), 1, jnp.asarray(math.inf, dtype=real))
    u, low, count, moved = while_loop(going, step, start)
    # One step of Newton and Schulz's iteration.
    u = 1.5 * u - 0.5 * u @ (jnp.conj(u.T) @ u)
    h = jnp.conj(u.T) @ x
    h = (h + jnp.conj(h.T)) / 2
    return u, h, count - 1, jnp.logical_not(going((u, low, 0, moved)))
