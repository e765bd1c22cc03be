"""From dense to BCOO and back: `bcoo_todense`, `bcoo_fromdense`, `bcoo_extract`, `bcoo_transpose`."""
from _jitlens import core

from ... import lax
from ... import numpy as jnp
from ..._vmap import vmap
from ...interpreters import ad, batching
from ._bcoo_checks import batch_dims_to_front, sparse_fill, tangent_zero, validate, validate_indices, validate_permutation
from .util import SparseInfo, concrete_index, count_stored_elements, nfold_vmap, primitive, replaced

TRACED_NSE_ERROR = """
The error arose for the nse argument of bcoo_fromdense. In order for
BCOO.fromdense() to be used in traced/compiled code, you must pass a concrete
value to the nse (number of stored elements) argument.
"""


def _places(indices, shape, n_batch, n_sparse):
    """What the whole array is indexed with: batch axes that count, then the columns of the indices."""
    batch = [lax.broadcasted_iota(indices.dtype, (*[s if j == i else 1 for j in range(n_batch)], 1), i) for i, s in enumerate(shape[:n_batch])]
    return tuple(batch) + tuple([indices[..., i] for i in range(n_sparse)])


# ------------------------------------------------------------------------------------------------------------- todense

def todense_buffers(data, indices, *, spinfo):
    return bcoo_todense_p.bind(jnp.asarray(data), jnp.asarray(indices), spinfo=spinfo)


def _todense_types(data, indices, *, spinfo):
    validate(data, indices, spinfo.shape)
    return core.ShapedArray(spinfo.shape, data.dtype)


def _todense(data, indices, *, spinfo):
    shape = spinfo.shape
    n_batch, n_sparse, _, _ = validate(data, indices, shape)
    if not n_sparse:
        data = data.sum(n_batch, keepdims=bool(n_batch), dtype=data.dtype)
    return jnp.zeros(shape, data.dtype).at[_places(indices, shape, n_batch, n_sparse)].add(data)


def _todense_transpose(ct, data, indices, *, spinfo):
    assert ad.is_undefined_primal(data)
    if ad.is_undefined_primal(indices):
        raise ValueError("Cannot transpose with respect to sparse indices")
    return extract_buffers(indices, ct), indices


def _todense_batched(args, dims, *, spinfo):
    data, indices, spinfo = batch_dims_to_front(args, dims, spinfo)
    return todense_buffers(data, indices, spinfo=spinfo), 0


bcoo_todense_p = primitive("bcoo_todense", False, _todense_types, _todense)
ad.defjvp(bcoo_todense_p, lambda dot, data, indices, *, spinfo: todense_buffers(dot, indices, spinfo=spinfo), None)
ad.primitive_transposes[bcoo_todense_p] = _todense_transpose
batching.primitive_batchers[bcoo_todense_p] = _todense_batched


# ----------------------------------------------------------------------------------------------------------- fromdense

def fromdense_buffers(mat, *, nse, n_batch=0, n_dense=0, index_dtype=jnp.int32):
    mat = jnp.asarray(mat)
    nse = concrete_index(nse, TRACED_NSE_ERROR)
    return bcoo_fromdense_p.bind(mat, nse=nse, n_batch=n_batch, n_dense=n_dense, index_dtype=index_dtype)


def _fromdense_types(mat, *, nse, n_batch, n_dense, index_dtype):
    n_sparse = mat.ndim - n_batch - n_dense
    return (core.ShapedArray(mat.shape[:n_batch] + (nse,) + mat.shape[n_batch + n_sparse:], mat.dtype),
            core.ShapedArray(mat.shape[:n_batch] + (nse, n_sparse), index_dtype))


def _fromdense(mat, *, nse, n_batch, n_dense, index_dtype):
    mat = jnp.asarray(mat)
    n_sparse = mat.ndim - n_dense - n_batch
    mask = mat != 0
    if n_dense > 0:
        mask = mask.any(tuple([-(i + 1) for i in range(n_dense)]))

    def columns(a):
        if not n_sparse:
            return jnp.zeros((nse, 0), index_dtype)
        return jnp.stack(jnp.nonzero(a, size=nse, fill_value=a.shape[:n_sparse]), axis=-1).astype(index_dtype)

    indices = nfold_vmap(columns, n_batch, broadcasted=False)(mask)
    data = extract_buffers(indices, mat)
    stored = mask.sum(tuple(range(n_batch, mask.ndim)))[..., None]
    is_stored = lax.broadcasted_iota(stored.dtype, (1,) * n_batch + (nse,), n_batch) < stored
    return jnp.where(is_stored[(slice(None),) * (n_batch + 1) + (None,) * n_dense], data, 0), indices


def _fromdense_jvp(primals, tangents, **params):
    mat, = primals
    dot, = tangents
    data, indices = fromdense_buffers(mat, **params)
    return (data, indices), (tangent_zero(data) if type(dot) is ad.Zero else extract_buffers(indices, dot), tangent_zero(indices))


def _fromdense_batched(args, dims, *, nse, n_batch, n_dense, index_dtype):
    bdim, = dims
    if not 0 <= bdim <= n_batch:
        raise ValueError(f"Expected 0 < bdim <= n_batch; got {bdim=}, {n_batch=}")
    return fromdense_buffers(args[0], nse=nse, n_batch=n_batch + 1, n_dense=n_dense, index_dtype=index_dtype), (bdim, bdim)


bcoo_fromdense_p = primitive("bcoo_fromdense", True, _fromdense_types, _fromdense)
ad.primitive_jvps[bcoo_fromdense_p] = _fromdense_jvp
batching.primitive_batchers[bcoo_fromdense_p] = _fromdense_batched


def stored_elements(mat, nse, n_batch, n_dense, context):
    """How many elements are to be stored: so many, or as many as are not zero.

    Raises ConcretizationTypeError where that is a tracer.
    """
    return concrete_index(count_stored_elements(mat, n_batch, n_dense) if nse is None else nse, context)


# ------------------------------------------------------------------------------------------------------------- extract

def extract_buffers(indices, arr, *, assume_unique=True):
    return bcoo_extract_p.bind(indices, arr, assume_unique=assume_unique)


def _extract_types(indices, arr, *, assume_unique):
    n_batch, _, n_dense, nse = validate_indices(indices, arr.shape)
    return core.ShapedArray(arr.shape[:n_batch] + (nse,) + arr.shape[arr.ndim - n_dense:], arr.dtype)


def _extract(indices, arr, *, assume_unique):
    arr = jnp.asarray(arr)
    n_batch, n_sparse, n_dense, nse = validate_indices(indices, arr.shape)
    first = None
    if not assume_unique:
        indices, first = unique_indices(indices, shape=arr.shape, return_index=True)
    places = _places(indices, arr.shape, n_batch, n_sparse)
    found = arr.at[places].get(mode="fill", fill_value=0) if places else arr[None]
    if not n_sparse and nse != 1:
        shape = replaced(found.shape, n_batch, nse)
        if assume_unique:
            found = lax.broadcast_in_dim(found, shape, tuple(range(found.ndim)))
        else:
            found = jnp.zeros_like(found, shape=shape).at[(slice(None),) * n_batch + (slice(1),)].set(found)
    if first is not None:
        def back(x, i):
            return jnp.zeros_like(x, shape=(nse, *x.shape[1:])).at[i].add(x)
        for _ in range(n_batch):
            back = vmap(back)
        found = back(found, first)
    return found


def _extract_transpose(ct, indices, arr, *, assume_unique):
    if not assume_unique:
        raise NotImplementedError("transpose of bcoo_extract with assume_unique=False")
    if ad.is_undefined_primal(indices):
        raise ValueError("Cannot transpose with respect to sparse indices")
    return indices, todense_buffers(ct, indices, spinfo=SparseInfo(arr.aval.shape))


def _extract_batched(args, dims, *, assume_unique):
    indices, arr = args
    if dims[0] is None:
        bdim = dims[1]
        indices = lax.expand_dims(indices, (bdim,))
    elif dims[1] is None:
        bdim = dims[0]
        shape = list(arr.shape)
        shape.insert(bdim, indices.shape[bdim])
        arr = lax.broadcast_in_dim(arr, shape, tuple([i for i in range(len(shape)) if i != bdim]))
    elif dims[0] != dims[1]:
        raise NotImplementedError("bcoo_extract with unequal batch dimensions.")
    else:
        bdim = dims[0]
    n_batch = indices.ndim - 2
    if bdim >= n_batch:
        raise ValueError(f"batch_dims={tuple(dims)} out of range for indices with {n_batch=}")
    return extract_buffers(indices, arr, assume_unique=assume_unique), bdim


bcoo_extract_p = primitive("bcoo_extract", False, _extract_types, _extract)
ad.defjvp(bcoo_extract_p, None, lambda dot, indices, arr, *, assume_unique: extract_buffers(indices, dot, assume_unique=assume_unique))
ad.primitive_transposes[bcoo_extract_p] = _extract_transpose
batching.primitive_batchers[bcoo_extract_p] = _extract_batched


# ----------------------------------------------------------------------------------------------------------- transpose

def transpose_buffers(data, indices, *, permutation, spinfo):
    permutation = tuple(permutation)
    if permutation == tuple(range(len(spinfo.shape))):
        return data, indices
    return bcoo_transpose_p.bind(data, indices, permutation=permutation, spinfo=spinfo)


def _transpose_types(data, indices, *, permutation, spinfo):
    batch, _, dense = validate_permutation(data, indices, permutation, spinfo.shape)
    n = len(batch)
    return (core.ShapedArray(tuple([data.shape[i] for i in (*batch, n, *[d + n + 1 for d in dense])]), data.dtype),
            core.ShapedArray(tuple([indices.shape[i] for i in (*batch, n, n + 1)]), indices.dtype))


def _transpose(data, indices, *, permutation, spinfo):
    batch, sparse, dense = validate_permutation(data, indices, permutation, spinfo.shape)
    n = len(batch)
    columns = jnp.stack([indices[..., i] for i in sparse], axis=-1) if sparse else indices
    return data.transpose(*batch, n, *[d + n + 1 for d in dense]), columns.transpose(*batch, n, n + 1)


def _transpose_jvp(primals, tangents, **params):
    data, indices = primals
    found = transpose_buffers(data, indices, **params)
    dot = ad.instantiate_zeros(tangents[0])
    return found, (transpose_buffers(dot, indices, **params)[0], tangent_zero(indices))


def _transpose_transpose(ct, data, indices, *, permutation, spinfo):
    data_ct, indices_ct = ct
    if ad.is_undefined_primal(indices):
        raise ValueError("Cannot transpose with respect to sparse indices")
    back = [permutation.index(i) for i in range(len(permutation))]
    # Where the elements lie makes no difference to them.
    anywhere = jnp.zeros([1] * (indices.ndim - 2) + list(indices.shape[-2:]), dtype=int)
    info = SparseInfo(tuple([spinfo.shape[p] for p in permutation]))
    return transpose_buffers(data_ct, anywhere, permutation=back, spinfo=info)[0], indices_ct


def _transpose_batched(args, dims, *, permutation, spinfo):
    data, indices, spinfo = batch_dims_to_front(args, dims, spinfo)
    found = transpose_buffers(data, indices, permutation=(0, *[p + 1 for p in permutation]), spinfo=spinfo)
    outs = [None if dim is None else 0 for dim in dims]
    return [lax.squeeze(x, [0]) if dim is None else x for x, dim in zip(found, outs)], outs


bcoo_transpose_p = primitive("bcoo_transpose", True, _transpose_types, _transpose)
ad.primitive_jvps[bcoo_transpose_p] = _transpose_jvp
ad.primitive_transposes[bcoo_transpose_p] = _transpose_transpose
batching.primitive_batchers[bcoo_transpose_p] = _transpose_batched


# ------------------------------------------------------------------------------------------------------ unique indices

def unique_indices(indices, *, shape, return_inverse=False, return_index=False, return_true_size=False):
    """Each index once, as `jnp.unique` gives them, and those that are out of bounds at the end."""
    n_batch = validate_indices(indices, shape).n_batch

    def unbatched(indices):
        return _unique_indices(indices, shape[n_batch:], return_inverse, return_index, return_true_size)
    return nfold_vmap(unbatched, n_batch, broadcasted=False)(indices)


def _unique_indices(indices, shape, return_inverse, return_index, return_true_size):
    from ...numpy._sets import _unique
    _, n_sparse, _, nse = validate_indices(indices, shape)
    if not n_sparse:
        out = (jnp.zeros_like(indices, shape=(1, 0)),)
        out += (jnp.zeros(1, dtype="int32"),) * (return_index + return_inverse)
        out += (1,) * return_true_size
        return out[0] if len(out) == 1 else out
    fill = sparse_fill(indices, shape, 0, n_sparse)
    indices = jnp.where((indices >= fill).any(-1, keepdims=True), fill, indices)
    out = _unique(indices, 0, return_index=return_index, return_inverse=return_inverse, return_true_size=return_true_size, size=nse,
                  fill_value=fill)
    if return_inverse:
        at = 2 if return_index else 1
        out = (*out[:at], out[at].ravel(), *out[at + 1:])
    if return_true_size:
        out = (*out[:-1], out[-1] - (indices == fill).any().astype(out[-1].dtype))
    return out
