"""`bcoo_sort_indices` and `bcoo_sum_duplicates`."""
from _jitlens import core

from ... import lax
from ... import numpy as jnp
from ...interpreters import ad, batching
from ._bcoo_checks import batch_dims_to_front, batch_shape, tangent_zero, validate, validate_indices
from ._bcoo_primitives import unique_indices
from .util import concrete_index, nfold_vmap, primitive


def _typed(aval):
    return core.ShapedArray(aval.shape, aval.dtype, weak_type=aval.weak_type)


# ----------------------------------------------------------------------------------------------------------------- sort

def sort_indices_buffers(data, indices, *, spinfo):
    return bcoo_sort_indices_p.bind(data, indices, spinfo=spinfo)


def _sort_types(data, indices, *, spinfo):
    props = validate(data, indices, spinfo.shape)
    if not props.n_sparse:
        return _typed(data), _typed(indices)
    shape = (*batch_shape(data, indices, props.n_batch), *data.shape[props.n_batch:])
    return core.ShapedArray(shape, data.dtype, weak_type=data.weak_type), _typed(indices)


def _sorted(indices):
    """Indices in order, and where each was."""
    nse, n = indices.shape
    *columns, order = lax.sort((*[indices[:, i] for i in range(n)], lax.iota(indices.dtype, nse)), num_keys=n)
    return jnp.column_stack(columns), order


def _permuted(data, order):
    return data[order]


def _sort(data, indices, *, spinfo):
    props = validate(data, indices, spinfo.shape)
    if not props.n_sparse:
        return data, indices
    indices, order = nfold_vmap(_sorted, props.n_batch, broadcasted=False)(indices)
    return nfold_vmap(_permuted, props.n_batch)(data, order), indices


def _sort_batched(args, dims, *, spinfo):
    data, indices, spinfo = batch_dims_to_front(args, dims, spinfo)
    data, indices = sort_indices_buffers(data, indices, spinfo=spinfo)
    return ((data, indices[0]), (0, None)) if dims[1] is None else ((data, indices), (0, 0))


def _sort_jvp(primals, tangents, *, spinfo):
    data, indices = primals
    n_batch, n_sparse, _, _ = validate(data, indices, spinfo.shape)
    if not n_sparse:
        return primals, tangents
    indices_out, order = nfold_vmap(_sorted, n_batch)(indices)
    permute = nfold_vmap(_permuted, n_batch)
    data_out, dot = permute(data, order), tangents[0]
    dot = tangent_zero(data_out) if type(dot) is ad.Zero else permute(dot, order)
    return (data_out, indices_out), (dot, tangent_zero(indices))


bcoo_sort_indices_p = primitive("bcoo_sort_indices", True, _sort_types, _sort)
ad.primitive_jvps[bcoo_sort_indices_p] = _sort_jvp
batching.primitive_batchers[bcoo_sort_indices_p] = _sort_batched


# ------------------------------------------------------------------------------------------------------- sum duplicates

_NSE_NEEDED = ("bcoo_sum_duplicates: nse must be specified when using the function within "
               "jit, vmap, and other transformations requiring abstract evaluation.")


def sum_duplicates_buffers(data, indices, *, spinfo, nse):
    if nse is not None:
        nse = concrete_index(nse, "nse argument of bcoo_sum_duplicates.")
    return bcoo_sum_duplicates_p.bind(data, indices, spinfo=spinfo, nse=nse)


def _sum_types(data, indices, *, spinfo, nse):
    if nse is None:
        raise ValueError(_NSE_NEEDED)
    props = validate(data, indices, spinfo.shape)
    n = props.n_batch
    return (core.ShapedArray((*batch_shape(data, indices, n), nse, *data.shape[n + 1:]), data.dtype, weak_type=data.weak_type),
            core.ShapedArray((*indices.shape[:n], nse, props.n_sparse), indices.dtype, weak_type=indices.weak_type))


def _with_nse(indices, nse, shape):
    """So many indices: those that are one too many are out of bounds."""
    n_batch, n_sparse, _, have = validate_indices(indices, shape)
    if nse <= have:
        return indices[..., :nse, :]
    fill = lax.broadcast_in_dim(jnp.array(shape[n_batch:n_batch + n_sparse], dtype=indices.dtype),
                                (*indices.shape[:-2], nse - have, indices.shape[-1]), (indices.ndim - 1,))
    return lax.concatenate([indices, fill], dimension=indices.ndim - 2)


def _sum(data, indices, *, spinfo, nse):
    props = validate(data, indices, spinfo.shape)
    n = props.n_batch
    out, mapping, sizes = unique_indices(indices, shape=spinfo.shape, return_inverse=True, return_true_size=True)
    if nse is None:
        nse = 1 if props.n_sparse == 0 else concrete_index(sizes.max(), "nse argument of bcoo_sum_duplicates.")
    if props.n_sparse == 0:
        data = data.sum(n, keepdims=True, dtype=data.dtype)
    whole = jnp.zeros((*batch_shape(data, indices, n), nse, *data.shape[n + 1:]), dtype=data.dtype)
    return nfold_vmap(_added, n)(whole, mapping, data), _with_nse(out, nse, spinfo.shape)


def _added(whole, places, data):
    return whole.at[places].add(data, mode="drop") if whole.size else whole


def _sum_batched(args, dims, *, spinfo, nse):
    data, indices, spinfo = batch_dims_to_front(args, dims, spinfo)
    data, indices = bcoo_sum_duplicates_p.bind(data, indices, spinfo=spinfo, nse=nse)
    return ((data, lax.squeeze(indices, [0])), (0, None)) if dims[1] is None else ((data, indices), (0, 0))


def _sum_jvp(primals, tangents, *, spinfo, nse):
    data, indices = primals
    n_batch, n_sparse, _, _ = validate(data, indices, spinfo.shape)
    dot = tangents[0]
    out, mapping, sizes = unique_indices(indices, shape=spinfo.shape, return_inverse=True, return_true_size=True)
    if nse is None:
        if core.is_tracer(sizes):
            raise ValueError(_NSE_NEEDED)
        nse = concrete_index(jnp.sum(sizes), "nse argument of bcoo_sum_duplicates.")
    out = _with_nse(out, nse, spinfo.shape)
    if n_sparse == 0:
        data = data.sum(n_batch, keepdims=True, dtype=data.dtype)
        dot = dot if type(dot) is ad.Zero else dot.sum(n_batch, keepdims=True, dtype=dot.dtype)
    whole = jnp.zeros((*batch_shape(data, indices, n_batch), nse, *data.shape[n_batch + 1:]), dtype=data.dtype)
    add = nfold_vmap(_added, n_batch)
    data_out = add(whole, mapping, data)
    dot = tangent_zero(data_out) if type(dot) is ad.Zero else add(whole, mapping, dot)
    return (data_out, out), (dot, tangent_zero(out))


bcoo_sum_duplicates_p = primitive("bcoo_sum_duplicates", True, _sum_types, _sum)
ad.primitive_jvps[bcoo_sum_duplicates_p] = _sum_jvp
batching.primitive_batchers[bcoo_sum_duplicates_p] = _sum_batched
