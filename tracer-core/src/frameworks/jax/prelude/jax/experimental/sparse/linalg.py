"""`jax.experimental.sparse.linalg`: solving with matrices by rows."""
from _jitlens import core

from ... import numpy as jnp
from ..._unmodelled import names
from ...extend.core import Primitive
from ...interpreters import ad
from .csr import csr_matvec_p, transposed_buffers

__getattr__ = names("jax.experimental.sparse.linalg", "lobpcg_standard")


def spsolve(data, indices, indptr, b, tol=1e-6, reorder=1):
    return spsolve_p.bind(data, indices, indptr, b, tol=tol, reorder=reorder)


def _types(data, indices, indptr, b, *, tol, reorder):
    if data.dtype != b.dtype:
        raise ValueError(f"data types do not match: {data.dtype=} {b.dtype=}")
    if not (jnp.issubdtype(indices.dtype, jnp.integer) and jnp.issubdtype(indptr.dtype, jnp.integer)):
        raise ValueError(f"index arrays must be integer typed; got {indices.dtype=} {indptr.dtype=}")
    if not data.ndim == indices.ndim == indptr.ndim == b.ndim == 1:
        raise ValueError("Arrays must be one-dimensional. "
                         f"Got {data.shape=} {indices.shape=} {indptr.shape=} {b.shape=}")
    if indptr.size != b.size + 1 or data.shape != indices.shape:
        raise ValueError(f"Invalid CSR buffer sizes: {data.shape=} {indices.shape=} {indptr.shape=}")
    if reorder not in [0, 1, 2, 3]:
        raise ValueError(f"{reorder=} not valid, must be one of [1, 2, 3, 4]")
    float(tol)
    return core.ShapedArray(b.shape, b.dtype, weak_type=b.weak_type)


def _impl(data, indices, indptr, b, *, tol, reorder):
    """JAX calls SciPy, whose digits are its own."""
    import jax
    args = [jnp.asarray(x) for x in (data, indices, indptr, b)]
    out = _types(*[core.typeof(x) for x in args], tol=tol, reorder=reorder)
    return jax.pure_callback(lambda *_: core.unknown("what SciPy solves"), jax.ShapeDtypeStruct(out.shape, out.dtype), *args)


def _jvp_data(dot, data, indices, indptr, b, **kwds):
    solved = spsolve(data, indices, indptr, b, **kwds)
    moved = csr_matvec_p.bind(dot, indices, indptr, solved, shape=(indptr.size - 1, len(b)), transpose=False)
    return -spsolve(data, indices, indptr, moved, **kwds)


def _transpose(ct, data, indices, indptr, b, **kwds):
    if not ad.is_undefined_primal(b):
        raise NotImplementedError("spsolve transpose with respect to data")
    return data, indices, indptr, spsolve(*transposed_buffers(data, indices, indptr), ct, **kwds)


spsolve_p = Primitive("spsolve")
spsolve_p.def_abstract_eval(_types)
spsolve_p.def_impl(_impl)
ad.defjvp(spsolve_p, _jvp_data, None, None, lambda dot, data, indices, indptr, b, **kwds: spsolve(data, indices, indptr, dot, **kwds))
ad.primitive_transposes[spsolve_p] = _transpose
