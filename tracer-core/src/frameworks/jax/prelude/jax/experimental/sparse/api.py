"""`jax.experimental.sparse.api`: what does not depend on the format."""
from _jitlens import core

from ... import tree_util
from ..._vmap import vmap
from ...interpreters import ad, batching
from ._base import JAXSparse
from .bcoo import BCOO, extract_buffers
from .bcsr import BCSR, bcsr_extract
from .coo import COO
from .csr import CSC, CSR
from .util import concrete_index, coo_extract, primitive


def todense(arr):
    """A sparse array as a dense one, a dense one as it is."""
    buffers, tree = tree_util.tree_flatten(arr)
    return todense_p.bind(*buffers, tree=tree)


def _todense(*buffers, tree):
    arr = tree_util.tree_unflatten(tree, buffers)
    return arr.todense() if isinstance(arr, JAXSparse) else arr


def _todense_types(*buffers, tree):
    arr = tree_util.tree_unflatten(tree, buffers)
    if not isinstance(arr, JAXSparse):
        return arr
    return core.ShapedArray(arr.shape, arr.dtype, weak_type=arr.data.weak_type)


def _todense_jvp(primals, tangents, *, tree):
    assert type(tangents[0]) is not ad.Zero
    assert all([type(t) is ad.Zero for t in tangents[1:]])
    return todense_p.bind(*primals, tree=tree), todense_p.bind(tangents[0], *primals[1:], tree=tree)


def _todense_transpose(ct, *buffers, tree):
    whole = object()
    arr = tree_util.tree_unflatten(tree, [whole] * len(buffers))
    rest = buffers[1:]
    if arr is whole:
        return (ct,)
    if isinstance(arr, BCOO):
        return (extract_buffers(rest[0], ct), *rest)
    if isinstance(arr, BCSR):
        return (bcsr_extract(*rest, ct), *rest)
    if isinstance(arr, COO):
        return (coo_extract(*rest, ct), *rest)
    raise NotImplementedError(f"todense_transpose for {type(arr)}")


def _todense_batched(args, dims, *, tree):
    return vmap(lambda *buffers: _todense(*buffers, tree=tree), tuple(dims))(*args), 0


todense_p = primitive("todense", False, _todense_types, _todense)
ad.primitive_jvps[todense_p] = _todense_jvp
ad.primitive_transposes[todense_p] = _todense_transpose
batching.primitive_batchers[todense_p] = _todense_batched


def empty(shape, dtype=None, index_dtype="int32", sparse_format="bcoo", **kwds):
    formats = {"bcsr": BCSR, "bcoo": BCOO, "coo": COO, "csr": CSR, "csc": CSC}
    if sparse_format not in formats:
        raise ValueError(f"sparse_format={sparse_format!r} not recognized; "
                         f"must be one of {list(formats.keys())}")
    return formats[sparse_format]._empty(tuple(shape), dtype=dtype, index_dtype=index_dtype, **kwds)


def eye(N, M=None, k=0, dtype=None, index_dtype="int32", sparse_format="bcoo", **kwds):
    M = N if M is None else M
    N, M, k = [concrete_index(n, "") for n in (N, M, k)]
    cls = {"bcoo": BCOO, "coo": COO, "csr": CSR, "csc": CSC}[sparse_format]
    return cls._eye(M=M, N=N, k=k, dtype=dtype, index_dtype=index_dtype, **kwds)
